/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * storm.c - makes a program of a seed and runs it: see storm.h.
 *
 *	storm --board=FILE [--ops=N] [--features=HEX] [--keep=LIST] [--places] SEED
 *	storm --show [...] SEED		prints the operations
 *	storm --features		prints the names of features
 *
 * Operations have numbers; LIST names those that are to be run (0,4-9; end is the way in
 * which the program ends).  They do not change when others are left out.
 */
#define _GNU_SOURCE
#include "storm.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MAX_OPS 400

/* A case in one file has these (Emit.pm). */
#ifndef STORM_SEED
#define STORM_SEED 0
#define STORM_OPS 40
#define STORM_FEATURES ALL
#define STORM_KEEP NULL
#endif

static const char *const feature_names[] = {
	"badptr", "threads", "fork", "vfork", "signals", "jumps", "cancel", "exec", "spawn", "stdio", "net", "maps",
	"aio", "ends", "timers", "crowd", "sharevm", "coroutines", "seccomp", "smallstack", "limits", "raw",
	"privileges", "descriptors", "lognumber", "spawnstack",
};

unsigned features = STORM_FEATURES;
const char *self, *board_path;
int first_process;

static struct op ops[MAX_OPS];
static bool kept[MAX_OPS + 1];
static int n_ops = STORM_OPS;

bool with(enum feature f)
{
	return (features & f) == (unsigned)f;
}

int special_count(void)
{
	return n_specials + n_stream_specials + n_proc_specials;
}

const struct special *special_at(int i)
{
	if (i < n_specials)
		return &specials[i];
	i -= n_specials;
	return i < n_stream_specials ? &stream_specials[i] : &proc_specials[i - n_stream_specials];
}

static void choose_call(struct op *op, struct draw *d)
{
	for (;;) {
		op->row = op->special = -1;
		if (pick(d, 10) < 6) {
			op->row = pick(d, n_rows);
			if (row_may(&rows[op->row]))
				return;
		} else {
			op->special = pick(d, special_count());
			if (with(special_at(op->special)->needs))
				return;
		}
	}
}

/* Whether another executable comes of it. */
bool runs_others(const struct op *op)
{
	return op->row < 0 && (special_at(op->special)->needs & (EXEC | SPAWN));
}

/* What allows little is innermost, with a plain system call in it. */
static void choose_around(struct op *op, struct draw *d)
{
	bool plain = op->row >= 0 && row_is_plain(&rows[op->row]);

	op->n_around = pick(d, 10) < 5 ? 0 : 1 + pick(d, N_AROUND);
	for (int i = 0; i < op->n_around; i++) {
		const struct around *a;

		do {
			op->around[i] = pick(d, n_arounds);
			a = &arounds[op->around[i]];
		} while (!with(a->needs) || (a->inner && (!plain || i != op->n_around - 1)) ||
			 (strstr(a->name, "altstack") && runs_others(op) && !with(SPAWNSTACK)));
	}
}

static void make_ops(uint64_t seed)
{
	for (int i = 0; i < n_ops; i++) {
		struct draw d = { .state = seed * 1000003 + i };

		next_random(&d.state);
		ops[i].index = i;
		choose_call(&ops[i], &d);
		choose_around(&ops[i], &d);
		ops[i].seed = next_random(&d.state);
	}
}

void run_op(const struct op *op, int depth)
{
	if (depth < op->n_around) {
		arounds[op->around[depth]].run(op, depth + 1);
	} else if (op->row >= 0) {
		row_run(op, false);
	} else {
		struct draw d = { .state = op->seed };

		values_fresh(&d);
		errno = 0;
		special_at(op->special)->run(op, &d);
	}
}

static void show_ops(void)
{
	for (int i = 0; i < n_ops; i++) {
		if (!kept[i])
			continue;
		printf("%d: ", i);
		for (int j = 0; j < ops[i].n_around; j++)
			printf("%s: ", arounds[ops[i].around[j]].name);
		if (ops[i].row >= 0)
			row_run(&ops[i], true);
		else
			printf("%s\n", special_at(ops[i].special)->name);
	}
}

static void say_signal(int sig)
{
	static const struct op none = { .index = -1 };

	say(&none, "signal %d", sig);
}

static void *exit_thread(void *arg)
{
	exit((int)(long)arg);
}

static void end(const struct op *op)
{
	pthread_t thread;
	unsigned how = with(ENDS) ? op->seed % 14 : 0;

	say(op, "end %u", how);
	switch (how) {
	case 1:
		_exit(11);
	case 2:
		quick_exit(12);
	case 3:
		abort();
	case 4:
		kill(getpid(), SIGKILL);
		break;
	case 5:
		raise(SIGTERM);
		break;
	case 6:
		if (with(THREADS) && !pthread_create(&thread, NULL, exit_thread, (void *)13))
			pthread_join(thread, NULL);
		break;
	case 7:
		workers_end();
		exits_late();
		if (with(THREADS))
			pthread_exit(NULL);
		break;
	case 8:
		*(volatile int *)8 = 1;
		break;
	case 9:
		timer_stop();
		if (with(EXEC)) {
			char number[16];

			snprintf(number, sizeof(number), "%d", EXECUTED);
			execl(self, self, "--hello", board_path, number, NULL);
		}
		break;
	case 10:
		exit(300);
	}
}

static void parse_keep(const char *list)
{
	memset(kept, 0, sizeof(kept));
	while (*list) {
		char *rest;
		long first, last;

		if (!strncmp(list, "end", 3)) {
			kept[MAX_OPS] = true;
			list += 3;
		} else {
			first = last = strtol(list, &rest, 10);
			if (*rest == '-')
				last = strtol(rest + 1, &rest, 10);
			for (; first >= 0 && first <= last && first < MAX_OPS; first++)
				kept[first] = true;
			list = rest;
		}
		if (*list && *list++ != ',')
			exit(99);
	}
}

/* What others execute: says that it runs. */
static int hello(char **argv)
{
	struct op op = { .index = atoi(argv[3]) };
	long n;

	board_open(argv[2], true);
	n = write(1, "hello\n", 6);
	say(&op, "hello: %ld %s", n, error_name(n < 0 ? errno : 0));
	say_state(&op);
	return 42;
}

static void prepare(void)
{
	struct op none = { .index = -2 };
	int fd;

	setvbuf(stdout, NULL, _IOFBF, 1024);
	first_process = getpid();
	values_init();
	stacks_init();
	streams[0] = stdin;
	streams[1] = stdout;
	streams[2] = stderr;
	signal(SIGPIPE, say_signal);
	signal(SIGXFSZ, say_signal);
	fd = open("a", O_RDWR | O_CREAT, 0644);
	if (fd != 3 || write(fd, "first file\nwith two lines\n", 26) != 26 || dup2(fd, 900) != 900 || dup2(0, 901) != 901) {
		dprintf(2, "storm: needs descriptors 3, which is %d, 900 and 901, and a file a: %s\n", fd, strerror(errno));
		exit(98);
	}
	say(&none, "begins");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "board", required_argument, NULL, 'b' },	{ "ops", required_argument, NULL, 'n' },
		{ "features", optional_argument, NULL, 'f' }, { "keep", required_argument, NULL, 'k' },
		{ "show", no_argument, NULL, 's' },		{ "places", no_argument, NULL, 'p' },
		{ NULL, 0, NULL, 0 },
	};
	struct op last = { .index = MAX_OPS };
	bool show = false;
	uint64_t seed;
	int c;

	self = argv[0];
	if (argc == 4 && !strcmp(argv[1], "--hello"))
		return hello(argv);
	memset(kept, true, sizeof(kept));
	if (STORM_SEED && argc == 1)
		alone();
	if (STORM_SEED && STORM_KEEP)
		parse_keep(STORM_KEEP);
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'b')
			board_path = optarg;
		else if (c == 'n')
			n_ops = atoi(optarg) < MAX_OPS ? atoi(optarg) : MAX_OPS;
		else if (c == 'f' && optarg)
			features = strtoul(optarg, NULL, 16);
		else if (c == 'k')
			parse_keep(optarg);
		else if (c == 's')
			show = true;
		else if (c == 'p')
			places = true;
		else if (c != 'f')
			return 99;
		else {
			for (int i = 0; 1 << i < ALL; i++)
				puts(feature_names[i]);
			return 0;
		}
	}
	if ((optind != argc - 1 && !STORM_SEED) || (!board_path && !show))
		return 99;
	seed = optind < argc ? strtoull(argv[optind], NULL, 0) : STORM_SEED;
	make_ops(seed);
	last.seed = seed / 3 * 7919;
	if (show) {
		values_init();
		show_ops();
		return 0;
	}
	board_open(board_path, false);
	prepare();
	for (int i = 0; i < n_ops; i++)
		if (kept[i])
			run_op(&ops[i], 0);
	last.index = n_ops;
	say_state(&last);
	if (kept[MAX_OPS])
		end(&last);
	return 0;
}
