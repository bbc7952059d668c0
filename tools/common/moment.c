/* SPDX-License-Identifier: BSD-3-Clause */
/* moment.c - values of options that are moments. */
#include "config.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "message.h"
#include "option.h"

static bool parse_fraction(const char *s, int64_t *ns)
{
	int64_t unit = 100000000;

	*ns = 0;
	if (*s != '.')
		return *s == '\0';
	for (s++; isdigit((unsigned char)*s); s++, unit /= 10)
		*ns += unit * (*s - '0');
	return *s == '\0';
}

static bool parse_seconds(const char *s, int64_t *ns)
{
	bool minus = *s == '-';
	int64_t sec = 0, part;

	s += minus;
	if (!isdigit((unsigned char)*s) && *s != '.')
		return false;
	for (; isdigit((unsigned char)*s); s++) {
		sec = sec * 10 + (*s - '0');
		if (sec > 9000000000)
			return false;
	}
	if (!parse_fraction(s, &part))
		return false;
	*ns = sec * 1000000000 + part;
	if (minus)
		*ns = -*ns;
	return true;
}

static bool parse_date(const char *s, int64_t *ns)
{
	struct tm tm = {.tm_isdst = -1};
	char fraction[32];
	const char *end = strptime(s, "%Y-%m-%dT%H:%M:%S", &tm);
	size_t n;
	bool utc;
	int64_t part;

	if (!end)
		return false;
	n = strlen(end);
	utc = n && end[n - 1] == 'Z';
	n -= utc;
	if (n >= sizeof(fraction))
		return false;
	memcpy(fraction, end, n);
	fraction[n] = '\0';
	if (!parse_fraction(fraction, &part))
		return false;
	*ns = (int64_t)(utc ? timegm(&tm) : mktime(&tm)) * 1000000000 + part;
	return true;
}

struct iot_moment iot_option_moment(const char *option, const char *text)
{
	struct iot_moment m = {.given = true, .absolute = true};
	bool ok;

	if (*text == '@') {
		ok = parse_seconds(text + 1, &m.ns);
	} else if (strchr(text, 'T')) {
		ok = parse_date(text, &m.ns);
	} else {
		ok = parse_seconds(text, &m.ns);
		m.absolute = false;
	}
	if (!ok)
		iot_die("%s: '%s' is no time; give seconds, @seconds since the epoch, or "
			"YYYY-MM-DDThh:mm:ss",
			option, text);
	return m;
}
