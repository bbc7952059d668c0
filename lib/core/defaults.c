/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * defaults.c - see defaults.h.
 *
 * Each program that may be recorded opens the file when it makes its first call.  Whoever
 * can write it says where the logs of all users go: it has to be root's, and nobody else
 * may write it.
 */
#include "defaults.h"

#include "arena.h"
#include "report.h"
#include "setting.h"
#include "sys.h"

#include <string.h>

#ifndef IOT_DEFAULTS
#define IOT_DEFAULTS ""
#endif
const char iot_defaults_file[] = IOT_DEFAULTS;

static const char blanks[] = " \t\r";

/* Its text, with a 0 behind it; NULL: there is none that counts. */
static char *read_file(void)
{
	struct stat st;
	char *text = NULL;
	uint32_t len = 0;
	long n = 1;
	int fd;

	if (!*iot_defaults_file)
		return NULL;
	/* whatever there is instead of a file must not keep the program waiting */
	fd = iot_sys_openat(AT_FDCWD, iot_defaults_file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		return NULL;
	if (iot_sys_fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid || st.st_mode & 022)
		iot_report_once(iot_defaults_file, ": is no file that only root can write", "; it is ignored");
	else
		text = iot_map(IOT_TEXT_CAP);
	for (; text && n > 0 && len < IOT_TEXT_CAP - 1; len += n > 0 ? (uint32_t)n : 0)
		n = iot_sys_read(fd, text + len, IOT_TEXT_CAP - 1 - len);
	iot_sys_close(fd);
	return text;
}

/* Takes the word away from the beginning of the line. */
static bool take_word(char **line, const char *word)
{
	const size_t n = strlen(word);

	if (strncmp(*line, word, n) != 0 || !(*line)[n] || !strchr(blanks, (*line)[n]))
		return false;
	*line += n;
	*line += strspn(*line, blanks);
	return true;
}

/* Of what is asked for before the file is read. */
static bool is_too_early(enum iot_setting s)
{
	return s == IOT_SET_SYSCALLS || s == IOT_SET_MEMORY || iot_setting_kind(s) == IOT_IS_OTHER;
}

/* [final | most] NAME = VALUE */
static void read_line(char *line, struct iot_default to[IOT_N_SETTINGS])
{
	struct iot_default d = { 0 };
	char *name, *value, *end;
	enum iot_setting s;

	d.final = take_word(&line, "final");
	d.most = !d.final && take_word(&line, "most");
	name = line;
	value = strchr(line, '=');
	if (!value) {
		iot_report_once(line, ": is no line NAME = VALUE of ", iot_defaults_file);
		return;
	}
	end = value++;
	while (end > name && strchr(blanks, end[-1]))
		end--;
	*end = 0;
	value += strspn(value, blanks);
	for (end = value + strlen(value); end > value && strchr(blanks, end[-1]); end--)
		;
	*end = 0;
	s = iot_setting_find(name);
	if (s == IOT_NO_SETTING || is_too_early(s)) {
		iot_report_once(name, ": is no setting that can stand in ", iot_defaults_file);
		return;
	}
	d.value = *value ? value : NULL;
	to[s] = d;
}

void iot_defaults_read(struct iot_default to[IOT_N_SETTINGS])
{
	char *next = read_file();

	while (next && *next) {
		char *line = next + strspn(next, blanks);

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = 0;
		if (*line && *line != '#')
			read_line(line, to);
	}
}
