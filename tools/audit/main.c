/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iotrace-audit - show that a static executable makes no system call for I/O
 * that iotrace's wrappers would not see.
 *
 * Exit status: 0 no such call, 1 some, 2 the question could not be answered.
 */
#include "config.h"
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "../common/message.h"
#include "../common/option.h"
#include "audit.h"

const char *argp_program_version = "iotrace-audit (" PACKAGE_NAME ") " PACKAGE_VERSION;

struct options {
	const char *path;
	bool json;
	bool verbose;
};

static const struct argp_option option_table[] = {
	{"format", 'f', "FORMAT", 0, "text (the default), or json: one object a line", 0},
	{"verbose", 'v', NULL, 0, "Also list the calls that are covered, and by which wrapper", 0},
	{0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	static const char *const formats[] = {"text", "json", NULL};
	struct options *o = state->input;

	switch (key) {
	case 'f':
		o->json = iot_option_choice("--format", arg, formats);
		return 0;
	case 'v':
		o->verbose = true;
		return 0;
	case ARGP_KEY_ARG:
		if (o->path)
			iot_die("one program at a time: '%s' is a second one", arg);
		o->path = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		iot_die("no program is given; name a static executable (--help says more)");
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "PROGRAM",
	.doc = "List the system calls for I/O in the static executable PROGRAM that no wrapper of "
	       "iotrace stands in front of.\v"
	       "Exit status: 0 if PROGRAM has no such calls, 1 if it has some, 2 if it can't be examined.",
};

int main(int argc, char **argv)
{
	struct options o = {0};
	struct audit a = {0};

	iot_options_parse(&argp, argc, argv, 0, &o);

	a.path = o.path;
	a.fd = open(o.path, O_RDONLY | O_CLOEXEC);
	if (a.fd < 0)
		iot_audit_fail(&a, "can't be opened: %s", strerror(errno));
	if (cs_open(CS_ARCH_X86, CS_MODE_64, &a.cs) != CS_ERR_OK ||
	    cs_option(a.cs, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK)
		iot_audit_fail(&a, "this libcapstone cannot disassemble x86-64");

	iot_audit_calls_init();
	iot_audit_load(&a);
	iot_audit_read_symbols(&a);
	iot_audit_scan(&a);
	iot_audit_numbers(&a);
	iot_audit_cover(&a);
	iot_audit_report(&a, o.json, o.verbose);
	if (fflush(stdout) || ferror(stdout))
		iot_audit_fail(&a, "cannot write the report: %s", strerror(errno));
	return !a.n_wrappers || iot_audit_count(&a, V_UNCOVERED);
}
