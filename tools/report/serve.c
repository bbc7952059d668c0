/* SPDX-License-Identifier: BSD-3-Clause */
/* serve.c - the server's loop: logs are read anew while a program writes them, requests are answered. */
#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "serve-http.h"

static volatile sig_atomic_t stopped;

static void on_signal(int sig)
{
	(void)sig;
	stopped = 1;
}

/* A poll ends when a child does. */
static void on_child(int sig)
{
	(void)sig;
}

/* ---- what logs add up to ---- */

/* In a child. */
static int make(void *logs, const int *out)
{
	struct report r;

	if (!report_make(&r, logs))
		return iot_exit_status ? iot_exit_status : STATUS_TROUBLE;
	iot_filter_end();
	work_write(out[0], &r.data);
	work_write(out[1], &r.stat);
	work_write(out[2], &r.lists);
	return iot_exit_status | (r.running ? STATUS_RUNNING : 0);
}

static void note_state(void *sum, const char *file, bool in_directory)
{
	uint64_t *h = sum;
	struct stat st = {0};

	(void)in_directory;
	stat(file, &st);
	*h = (*h ^ st.st_ino) * 0x100000001b3;
	*h = (*h ^ (uint64_t)st.st_size) * 0x100000001b3;
	*h = (*h ^ (uint64_t)(st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec)) * 0x100000001b3;
}

/* Which logs there are, how large they are, and when they changed. */
static uint64_t state_of_logs(void)
{
	uint64_t h = 0xcbf29ce484222325;

	iot_logs_each(server.logs, note_state, &h);
	return h;
}

/* What the child left is shown from now on, if it is anything: else what was shown stays, since a log
   may be in the midst of being replaced. */
static void take(struct work *w)
{
	int status = WIFEXITED(w->status) ? WEXITSTATUS(w->status) : STATUS_TROUBLE;
	struct out data = work_read(w->out[0]);

	if ((status & ~STATUS_RUNNING) >= STATUS_TROUBLE || !data.len) {
		free(data.buf);
		return;
	}
	server.running = status & STATUS_RUNNING;
	if (data.len == server.data.len && !memcmp(data.buf, server.data.buf, data.len)) {
		free(data.buf);
		return;
	}
	free(server.data.buf);
	free(server.stat.buf);
	server.data = data;
	server.stat = work_read(w->out[1]);
	lists_take(w->out[2]);
	server.generation++;
}

/* A child that reads the logs. */
static struct work reading;
static bool is_reading;
static double next_reading, began;

static void begin_reading(bool mute)
{
	server.seen = state_of_logs();
	began = server_now();
	is_reading = work_begin(&reading, make, server.logs, mute, 0);
}

static bool end_reading(void)
{
	if (!is_reading || !work_ended(&reading, false))
		return false;
	is_reading = false;
	take(&reading);
	work_free(&reading);
	server.took = server_now() - began;
	next_reading = server_now() + (server.took > .25 ? 4 * server.took : 1);
	return true;
}

/* The first time: who started the server sees how far reading is, and what is wrong. */
static void end_first(void)
{
	int status;

	if (!end_reading())
		return;
	status = WIFEXITED(reading.status) ? WEXITSTATUS(reading.status) & ~STATUS_RUNNING : STATUS_TROUBLE;
	if (!server.generation) /* it said why */
		exit(status ? status : STATUS_TROUBLE);
	iot_exit_status = status;
}

/* What is read in a second, or found to be no log, needs no page that says how far it is. */
static void begin_first(void)
{
	const struct timespec moment = {.tv_nsec = 10000000};

	early_begin();
	begin_reading(false);
	if (!is_reading)
		iot_die("no process can be started: %s", strerror(errno));
	while (is_reading && !stopped && server_now() - began < .9) {
		nanosleep(&moment, NULL);
		end_first();
	}
}

/* Logs that change are read again, while somebody looks; a fifth of the time at most goes to that. */
static void follow(void)
{
	if (!server.generation)
		end_first();
	else
		end_reading();
	if (is_reading || server_now() < next_reading || server_now() - server.asked > 15)
		return;
	next_reading = server_now() + 1;
	if (server.running || state_of_logs() != server.seen)
		begin_reading(true);
}

/* ---- the loop ---- */

static struct MHD_Daemon *listen_on(uint16_t port)
{
	struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct MHD_Daemon *d =
		MHD_start_daemon(MHD_ALLOW_SUSPEND_RESUME | (MHD_is_feature_supported(MHD_FEATURE_EPOLL) ? MHD_USE_EPOLL : 0), port, NULL, NULL, http_request, NULL,
				 MHD_OPTION_SOCK_ADDR, &here, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CLIENTS,
				 MHD_OPTION_NOTIFY_CONNECTION, http_client, NULL,
				 MHD_OPTION_CONNECTION_TIMEOUT, 15u, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)32768,
				 MHD_OPTION_NOTIFY_COMPLETED, http_completed, NULL, MHD_OPTION_EXTERNAL_LOGGER, http_log, NULL,
				 MHD_OPTION_END);

	if (!d)
		iot_die("--serve: port %u of 127.0.0.1 can't be had: %s", port, strerror(errno));
	return d;
}

static uint16_t port_of(struct MHD_Daemon *d)
{
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT);

	return info ? info->port : 0;
}

static void on(int sig, void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler};

	sigaction(sig, &action, NULL);
}

void report_serve(char **logs, uint16_t port)
{
	struct MHD_Daemon *d;

	server.logs = logs;
	report_options.lists = true;
	on(SIGINT, on_signal);
	on(SIGTERM, on_signal);
	on(SIGCHLD, on_child);
	begin_first();
	on(SIGPIPE, SIG_IGN);
	d = listen_on(port);
	gate_make(port_of(d));
	out_lit(&iot_stdout, "Open http://127.0.0.1:");
	iot_out_unsigned(&iot_stdout, port_of(d));
	out_lit(&iot_stdout, "/?token=");
	out_str(&iot_stdout, gate_token());
	out_lit(&iot_stdout, " in a browser; Ctrl-C ends the server.\n");
	iot_out_flush(&iot_stdout);
	while (!stopped) {
		MHD_run_wait(d, http_is_waiting() ? 5 : 100);
		http_poll();
		follow();
	}
	http_stop();
	MHD_stop_daemon(d);
	work_free(&reading);
}
