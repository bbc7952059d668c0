/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message.h - what tools say on standard error, and their exit status.
 *
 * A message is one line, "TOOL: FILE: what happened", written at once.  Names of files,
 * and all else that it quotes, may hold anything: control characters, among them those
 * that turn the direction of text, are written as \ooo.
 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdarg.h>

/* As grep has them.  iotrace-run exits with what its program exits with, and has numbers
   of its own, as env(1). */
enum { STATUS_OK, STATUS_LESS /* nothing, or not all, was found sound */, STATUS_TROUBLE };

/* What main is to return: the worst so far. */
extern int iot_exit_status;
/* Which status stands for trouble: STATUS_TROUBLE, but of iotrace-run. */
extern int iot_trouble;

/* One line; file may be NULL. */
void iot_say(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
void iot_vsay(const char *file, const char *format, va_list ap) __attribute__((format(printf, 2, 0)));
/* The same, and sees to the exit status. */
void iot_complain(int status, const char *file, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, and exits with iot_trouble. */
void iot_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Called before each message, in tools that have it: what was printed goes first. */
void iot_before_message(void) __attribute__((weak));

#endif
