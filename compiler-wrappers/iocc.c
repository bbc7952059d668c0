/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iocc.c - runs a compiler and has executables record their I/O.  This is iocc,
 * iocxx, iof90, iompicc and the other wrappers: see iocc.h for its parts.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "iocc.h"

/* Our own options. */
struct options {
	bool help, show;
	struct parts parts;
};

static void take_options(struct words *args, struct options *o)
{
	size_t n = 0;

	for (size_t i = 0; i < args->n; i++) {
		if (!strcmp(args->v[i], "--iotrace-help"))
			o->help = true;
		else if (!strcmp(args->v[i], "--iotrace-show"))
			o->show = true;
		else if (!strcmp(args->v[i], "--iotrace-syscalls"))
			o->parts.syscalls = true;
		else if (!strcmp(args->v[i], "--iotrace-faults"))
			o->parts.faults = true;
		else
			args->v[n++] = args->v[i];
	}
	args->v[args->n = n] = NULL;
}

static bool is_off(void)
{
	const char *set = getenv("IOTRACE_WRAPPER");

	return iot_self.again || (set && !strcmp(set, "off"));
}

/* What only asks or tries, and what has nothing to compile or to link, is the
   compiler's alone. */
static bool is_left_alone(const struct request *r)
{
	return r->inform || r->probe || r->mode == MODE_OTHER || (!r->files && !r->libs.n);
}

/* Looks at the arguments and adds to them. */
static void add(struct command *c, struct request *r, const struct parts *parts)
{
	struct command plain;
	struct place place;

	if (iot_self.fortran && !iot_is_flang())
		r->fortran = FORTRAN_YES;
	iot_read_arguments(r, iot_self.command.v + 1, iot_self.command.n - 1);
	iot_read_arguments(r, c->args.v, c->args.n);
	if (is_left_alone(r))
		return;
	if (r->headers && r->headers == r->files)
		r->mode = MODE_COMPILE; /* there is nothing to link */
	if (r->bare && !r->libc)
		r->plain = true;
	if (r->sources + r->headers && !iot_uses_frame_register(r))
		c->frame = "-fno-omit-frame-pointer";
	if (r->mode != MODE_EXE || r->plain || !iot_find_place(&place, r, &c->args))
		return;
	plain = *c;
	iot_instrument(c, r, &place, parts);
	if (!iot_added_is_whole(c, &place))
		*c = plain;
}

int main(int argc, char **argv)
{
	struct request r = { .ld = "default" };
	struct command c = { 0 };
	struct options o = { 0 };

	iot_identify(argc ? argv[0] : "iocc");
	iot_add(&c.args, "");
	c.args.n = 0;
	for (int i = 1; i < argc; i++)
		iot_add(&c.args, argv[i]);
	take_options(&c.args, &o);

	if (o.help) {
		iot_print_help();
		return 0;
	}
	if (!is_off())
		add(&c, &r, &o.parts);
	if (o.show) {
		struct words all = iot_command_line(&c, true, true);

		iot_show(&all);
		return 0;
	}
	if (!is_off() && iot_is_help(&c.args)) {
		struct words all = iot_command_line(&c, true, true);

		iot_help(&all);
	}
	iot_compile(&c, &r);
}
