/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iotrace-ctl - switches the recording of a running program off and on.
 *
 * A word in the header of the log says so, which the recorder has in its memory and looks
 * at in each call.  Nothing is sent to the program, and no right is needed but that of
 * writing its log.
 */
#include "config.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "find.h"
#include "iotrace-format.h"

#define TROUBLE 2

const char *argp_program_version = "iotrace-ctl (" PACKAGE_NAME ") " PACKAGE_VERSION;

static const char *pid, *command;

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case ARGP_KEY_ARG:
		if (state->arg_num == 0)
			pid = arg;
		else if (state->arg_num == 1)
			command = arg;
		else
			argp_error(state, "%s: too many arguments", arg);
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2)
			argp_error(state, "a process and what to do are to be given");
		if (pid[strspn(pid, "0123456789")] || !*pid || strlen(pid) > 10)
			argp_error(state, "%s: is no process id", pid);
		if (strcmp(command, "on") != 0 && strcmp(command, "off") != 0 && strcmp(command, "status") != 0)
			argp_error(state, "%s: is neither on nor off nor status", command);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.parser = on_option,
	.args_doc = "PID on|off|status",
	.doc = "Switch the recording of a running program off and on.\v"
	       "It holds for all processes that write the log of process PID.  "
	       "Exit status: 0; 2 if there is no such log, or you may not write it.",
};

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void put_seconds(uint64_t ns)
{
	printf("%" PRIu64 ".%03" PRIu64 " s", ns / 1000000000, ns / 1000000 % 1000);
}

static void switch_to(struct iot_file_header *h, bool off)
{
	if (off == !!h->off)
		return;
	/* off first: whoever opens the gate looks at that behind it */
	if (!off)
		h->off_ns += now() - h->off_since;
	__atomic_store_n(&h->off, off, __ATOMIC_SEQ_CST);
	__atomic_store_n(&h->gate, off ? 0 : h->open_gate, __ATOMIC_SEQ_CST);
	if (off) {
		h->off_since = now();
		h->n_off++;
	}
}

static void print_status(const struct iot_file_header *h, const char *path)
{
	uint64_t off_ns = h->off_ns + (h->off ? now() - h->off_since : 0);

	printf("%s: recording is %s", pid, h->off ? "off" : "on");
	if (h->off) {
		printf(" for ");
		put_seconds(now() - h->off_since);
	}
	if (h->n_off > h->off) {
		printf(", was off %" PRIu32 " time%s, ", h->n_off, h->n_off == 1 ? "" : "s");
		put_seconds(off_ns);
	}
	printf(", in %s\n", path);
}

int main(int argc, char **argv)
{
	struct iot_file_header *h;
	struct ctl_log log;
	struct stat st;

	argp_err_exit_status = TROUBLE;
	if (argp_parse(&argp, argc, argv, 0, NULL, NULL) || !ctl_find(pid, &log))
		return TROUBLE;
	/* one at a time; the recorder stores nothing there */
	flock(log.fd, LOCK_EX);
	h = fstat(log.fd, &st) || st.st_size < IOT_HEADER_SIZE ?
		    MAP_FAILED :
		    mmap(NULL, IOT_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, log.fd, 0);
	if (h == MAP_FAILED || memcmp(h->magic, IOT_MAGIC, sizeof(h->magic)) != 0 ||
	    h->byte_order != IOT_BYTE_ORDER || h->version != IOT_FORMAT_VERSION) {
		fprintf(stderr, "iotrace-ctl: %s: is no log of this version\n", log.path);
		return TROUBLE;
	}
	if (strcmp(command, "status") != 0)
		switch_to(h, !strcmp(command, "off"));
	else
		print_status(h, log.path);
	if (fflush(stdout)) {
		fprintf(stderr, "iotrace-ctl: standard output: %s\n", strerror(errno));
		return TROUBLE;
	}
	return EXIT_SUCCESS;
}
