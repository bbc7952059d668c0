/* SPDX-License-Identifier: BSD-3-Clause */
/* option.c - options that all tools have, and values of options. */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "message.h"
#include "option.h"
#include "out.h"

/* ---- --help and --version, instead of argp's own, which have no -h ---- */

enum { OPT_USAGE = 2000 };

static const struct argp_option common[] = {
	{"help", 'h', NULL, 0, "Print this list of options", -1},
	{NULL, '?', NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, -1},
	{"usage", OPT_USAGE, NULL, 0, "Print how options are written", -1},
	{"version", 'V', NULL, 0, "Print the version", -1},
	{0},
};

static error_t on_common(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	switch (key) {
	case 'h':
	case '?':
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		break;
	case OPT_USAGE:
		argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
		break;
	case 'V':
		puts(argp_program_version);
		exit(fflush(stdout) ? iot_trouble : STATUS_OK);
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* getopt prints an option that there is not as it is; one with such characters is a file's name
   that a shell put there for a *. */
static void refuse_controls(int argc, char **argv, bool in_order)
{
	struct out shown = {.fd = -1};
	int i;

	/* in order: what comes behind another argument may be a program's */
	for (i = 1; i < argc && strcmp(argv[i], "--") && !(in_order && argv[i][0] != '-'); i++) {
		size_t n = argv[i][0] != '-' ? 0 : argv[i][1] == '-' ? strcspn(argv[i], "=") : strnlen(argv[i], 2);

		shown.len = 0;
		iot_out_need(&shown, 4 * n);
		iot_out_plain(&shown, argv[i], n);
		if (shown.len != n)
			iot_die("'%s' is no option; give ./%s if it is a file", argv[i], argv[i]);
	}
	free(shown.buf);
}

int iot_options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input)
{
	static const struct argp common_argp = {.options = common, .parser = on_common};
	struct argp_child children[5] = {{.argp = &common_argp}};
	struct argp all = *argp;
	const struct argp_child *c;
	unsigned n = 1;
	int at = argc;

	for (c = argp->children; c && c->argp && n < 4; c++)
		children[n++] = *c;
	all.children = children;
	argp_err_exit_status = iot_trouble;
	argv[0] = program_invocation_short_name; /* getopt's messages begin with it */
	refuse_controls(argc, argv, flags & ARGP_IN_ORDER);
	if (argp_parse(&all, argc, argv, flags | ARGP_NO_HELP, &at, input))
		exit(iot_trouble);
	return at;
}

/* ---- values ---- */

uint64_t iot_option_number(const char *option, const char *text, uint64_t min, uint64_t max)
{
	unsigned long long v;
	char *end;

	errno = 0;
	v = strtoull(text, &end, 10);
	if (isdigit((unsigned char)*text) && !*end && !errno && v >= min && v <= max)
		return v;
	if (max == UINT64_MAX)
		iot_die("%s: '%s' is no number, %llu or more", option, text, (unsigned long long)min);
	iot_die("%s: '%s' is no number from %llu to %llu", option, text, (unsigned long long)min,
		(unsigned long long)max);
}

uint64_t iot_option_size(const char *option, const char *text)
{
	static const struct {
		char letter;
		unsigned shift;
	} units[] = {
#define IOT_SIZE(letter, shift) {letter, shift},
#include "../../table/units.def"
	};
	unsigned long long v;
	unsigned shift = 0;
	size_t i;
	char *end;

	errno = 0;
	v = strtoull(text, &end, 10);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (tolower((unsigned char)*end) == units[i].letter)
			shift = units[i].shift;
	if (shift) {
		end++;
		if (!strcasecmp(end, "b") || !strcasecmp(end, "ib"))
			end = "";
	}
	if (!isdigit((unsigned char)*text) || *end || errno || v > UINT64_MAX >> shift)
		iot_die("%s: '%s' is no size; give bytes, or with a unit, as 64K, 10M, 1g or 1T",
			option, text);
	return v << shift;
}

#define SECONDS_MAX 1e9 /* thirty years; in ns it fits into 64 bits */

uint64_t iot_option_duration(const char *option, const char *text)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
#define IOT_TIME(name, ns) {name, ns},
#include "../../table/units.def"
	};
	char *end;
	double v = strtod(text, &end);
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end, units[i].name))
			break;
	if ((!isdigit((unsigned char)*text) && *text != '.') || end == text ||
	    i == sizeof(units) / sizeof(units[0]) || !(v * units[i].ns <= SECONDS_MAX * 1e9))
		iot_die("%s: '%s' is no time; give seconds, or a unit, as 100us, 10ms, 1.5s or 2min, "
			"up to 30 years",
			option, text);
	return (uint64_t)(v * units[i].ns + .5);
}

unsigned iot_option_choice(const char *option, const char *text, const char *const *names)
{
	char list[300];
	unsigned i;
	int n = 0;

	for (i = 0; names[i]; i++)
		if (!strcmp(names[i], text))
			return i;
	for (i = 0; names[i]; i++)
		n += snprintf(list + n, sizeof(list) - (size_t)n, "%s%s",
			      !i ? "" : names[i + 1] ? ", " : " and ", names[i]);
	iot_die("%s: '%s' is none of %s", option, text, list);
}

const char *iot_option_file(const char *option, const char *text)
{
	if (!*text)
		iot_die("%s: the name is empty; give that of a file", option);
	return text;
}

void iot_option_each(const char *list, const char *option,
		     void (*fn)(char *part, const char *option))
{
	char *copy = strdup(list), *part, *rest = copy;

	if (!copy)
		iot_die("out of memory");
	while ((part = strsep(&rest, ",")))
		if (*part)
			fn(part, option);
	free(copy);
}
