/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.c - a line on standard error that says how far reading has got.
 *
 *	 42 % [########           ]  12.3 M calls, 24.1 M/s, 3 s left
 *
 * It appears only to somebody who is waiting: after a second, if standard error is
 * a terminal that belongs to us at the time and is not where output scrolls by, and no
 * pager may show our output there; and it is gone before anything else is printed.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tool.h"

#define SECOND 1000000000u
#define INTERVAL (SECOND / 10)
#define LINE 256

bool iot_progress_off;
struct iot_progress_said *iot_progress_said;
uint64_t iot_progress_calls;

static const struct iotr_set *reading; /* NULL: nothing is to be shown */
static bool on_terminal, shown;
static uint64_t begun, next;

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec;
}

/* A pipe may lead to a pager, which has the terminal for itself. */
static bool output_is_pipe(void)
{
	struct stat out;

	return fstat(STDOUT_FILENO, &out) == 0 && S_ISFIFO(out.st_mode);
}

static bool output_scrolls(void)
{
	struct stat out, err;

	return isatty(STDOUT_FILENO) && fstat(STDOUT_FILENO, &out) == 0 &&
	       fstat(STDERR_FILENO, &err) == 0 && out.st_rdev == err.st_rdev;
}

void iot_progress_begin(const struct iotr_set *set, bool output_at_end)
{
	const char *term = getenv("TERM");

	on_terminal = !iot_progress_off && isatty(STDERR_FILENO) && term && strcmp(term, "dumb") && !output_is_pipe() &&
		      (output_at_end || !output_scrolls());
	if (!on_terminal && !iot_progress_said)
		return;
	reading = set;
	begun = now();
	next = begun + SECOND;
	if (!iot_progress_said)
		return;
	iot_progress_said->percent = 0;
	iot_progress_said->reading++;
}

/* 12345678: "12.3 M" */
static void format_count(char *text, size_t size, double n)
{
	static const char *const units[] = {"", " k", " M", " G"};
	unsigned i = 0;

	while (n >= 999.5 && i < 3) {
		n /= 1000;
		i++;
	}
	snprintf(text, size, i && n < 99.95 ? "%.1f%s" : "%.0f%s", n, units[i]);
}

static void format_left(char *text, size_t size, double seconds)
{
	unsigned s = seconds < 360000 ? (unsigned)(seconds + 0.5) : 360000;

	if (s < 60)
		snprintf(text, size, "%u s", s);
	else if (s < 3600)
		snprintf(text, size, "%u:%02u min", s / 60, s % 60);
	else
		snprintf(text, size, "%u:%02u h", s / 3600, s / 60 % 60);
}

static size_t columns(void)
{
	struct winsize w;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) < 0 || !w.ws_col)
		return 80;
	return w.ws_col < LINE / 2 ? w.ws_col : LINE / 2;
}

/* The cursor stays behind the text, so the last column is left alone. */
static void draw(double part, double elapsed)
{
	char line[LINE], tail[100], calls[20], rate[20], left[20];
	size_t width = columns(), bar, full;
	int n;

	format_count(calls, sizeof(calls), (double)iot_progress_calls);
	format_count(rate, sizeof(rate), (double)iot_progress_calls / elapsed);
	format_left(left, sizeof(left), part > 0 ? elapsed / part - elapsed : 0);
	n = snprintf(tail, sizeof(tail), "%s calls, %s/s, %s left", calls, rate, left);
	bar = width > (size_t)n + 20 ? width - (size_t)n - 11 : 0;
	full = (size_t)(part * (double)bar);
	n = snprintf(line, sizeof(line), "\r%3.0f %%", part * 100);
	if (bar) {
		n += snprintf(line + n, sizeof(line) - (size_t)n, " [");
		memset(line + n, '#', full);
		memset(line + n + full, ' ', bar - full);
		n += (int)bar;
		n += snprintf(line + n, sizeof(line) - (size_t)n, "]");
	}
	snprintf(line + n, sizeof(line) - (size_t)n, " %.*s\033[K",
		 (int)(width > 8 ? width - 8 : 0), tail);
	fputs(line, stderr);
	shown = true;
}

void iot_progress_show(void)
{
	uint64_t t, done, total;
	double part;

	if (!reading)
		return;
	t = now();
	if (t < next)
		return;
	next = t + INTERVAL;
	iotr_set_progress(reading, &done, &total);
	part = total && done < total ? (double)done / (double)total : total ? 1 : 0;
	if (iot_progress_said)
		iot_progress_said->percent = (unsigned)(part * 100);
	/* in the background the terminal is somebody else's */
	if (!on_terminal || tcgetpgrp(STDERR_FILENO) != getpgrp())
		return;
	draw(part, (double)(t - begun) / SECOND);
}

void iot_progress_clear(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	shown = false;
}

void iot_progress_end(void)
{
	iot_progress_clear();
	reading = NULL;
}
