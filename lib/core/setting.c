/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.c - see setting.h. */
#include "setting.h"

#include <stdbool.h>
#include <string.h>

/* Arrays, which the loader has nothing to do with. */
#define SETTING(word, name, kind, values, fallback) { name, values, fallback, IOT_IS_##kind },
static const struct {
	char name[21], values[18], fallback[6];
	uint8_t kind;
} table[IOT_N_SETTINGS] = {
#include "setting.def"
};
#undef SETTING

const char *iot_setting_name(enum iot_setting setting)
{
	return table[setting].name;
}

enum iot_setting_kind iot_setting_kind(enum iot_setting setting)
{
	return (enum iot_setting_kind)table[setting].kind;
}

enum iot_setting iot_setting_find(const char *text)
{
	enum iot_setting s = 0;
	size_t n = strcspn(text, "=");

	while (s < IOT_N_SETTINGS && (strncmp(table[s].name, text, n) != 0 || table[s].name[n]))
		s++;
	return s;
}

/* --- slips ----------------------------------------------------------------- */

#define LONGEST 20u

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* How many letters are wrong, missing, too many, or have changed places with the next. */
static uint32_t slips(const char *a, uint32_t na, const char *b, uint32_t nb)
{
	uint8_t row[3][LONGEST + 1];

	for (uint32_t i = 0; i <= na; i++) {
		uint8_t *now = row[i % 3], *before = row[(i + 2) % 3];

		for (uint32_t j = 0; j <= nb; j++) {
			uint32_t d = i + j;

			if (i && j) {
				d = least(before[j - 1] + (a[i - 1] != b[j - 1]), least(before[j], now[j - 1]) + 1u);
				if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
					d = least(d, row[(i + 1) % 3][j - 2] + 1u);
			}
			now[j] = (uint8_t)d;
		}
	}
	return row[na % 3][nb];
}

/* A short word that has one letter in two from another is likely to be somebody else's. */
enum iot_setting iot_setting_near(const char *text)
{
	const uint32_t prefix = sizeof("IOTRACE_") - 1;
	uint32_t n = (uint32_t)strcspn(text, "="), best = 3;
	enum iot_setting near = IOT_NO_SETTING;

	if (n <= prefix || n > LONGEST + prefix || memcmp(text, "IOTRACE_", prefix) != 0)
		return IOT_NO_SETTING;
	text += prefix;
	n -= prefix;
	for (enum iot_setting s = 0; s < IOT_N_SETTINGS; s++) {
		const char *name = table[s].name + prefix;
		uint32_t len = (uint32_t)strlen(table[s].name), shorter, d;

		if (len <= prefix)
			continue;
		len -= prefix;
		shorter = least(n, len);
		/* IOTRACE_DIRECTORY */
		d = shorter > 2 && !memcmp(name, text, shorter) ? 1 : slips(text, n, name, len);
		if (d < best && d <= (shorter > 5 ? 2u : 1u)) {
			best = d;
			near = s;
		}
	}
	return near;
}

/* --- values ---------------------------------------------------------------- */

/* Whether a word, in capitals or not, begins the list there. */
static bool same_word(const char *value, const char *word, size_t n)
{
	size_t i = 0;

	while (i < n && ((unsigned char)(value[i] - 'A') < 26 ? value[i] + 'a' - 'A' : value[i]) == word[i])
		i++;
	return i == n && !value[i];
}

/* The place of a word in a list "a, b, c"; -1: it is not there. */
static int place_in(const char *list, const char *value)
{
	for (int i = 0;; i++) {
		size_t n = strcspn(list, ",");

		if (same_word(value, list, n))
			return i;
		if (!list[n])
			return -1;
		list += n + 2;
	}
}

/* By how much a unit shifts a number to the left, 0: that is none. */
static uint32_t size_shift(char unit)
{
	switch (unit | 0x20) {
#define IOT_SIZE(letter, shift) case letter: return shift;
#include "../../table/units.def"
	}
	return 0;
}

/* Digits, and for a size one of the letters: 64K, 64KB, 64KiB.  Stops at a space; false: that is none. */
static bool read_number(const char *s, bool is_size, uint64_t *to)
{
	const char *from = s;
	uint64_t v = 0;
	uint32_t by;

	for (; *s >= '0' && *s <= '9'; s++)
		v = v > UINT64_MAX / 10 - 1 ? UINT64_MAX : v * 10 + (uint64_t)(*s - '0');
	if (s > from && is_size && (by = size_shift(*s))) {
		v = v > UINT64_MAX >> by ? UINT64_MAX : v << by;
		s++;
		if ((s[0] == 'i' || s[0] == 'I') && (s[1] == 'B' || s[1] == 'b'))
			s++;
		s += *s == 'B' || *s == 'b';
	}
	*to = v;
	return s > from && (!*s || *s == ' ');
}

/* Digits, a point and digits, and a unit, which is s if there is none.  Stops at a space. */
static bool read_time(const char *s, uint64_t *to)
{
	static const struct {
		char name[4];
		uint64_t ns;
	} units[] = {
#define IOT_TIME(name, ns) { name, ns },
#include "../../table/units.def"
	};
	const char *digits = s;
	uint64_t whole = 0, part = 0, scale = 1;
	size_t n;

	for (; *s >= '0' && *s <= '9'; s++)
		whole = whole > UINT32_MAX ? whole : whole * 10 + (uint64_t)(*s - '0');
	if (s == digits)
		return false;
	if (*s == '.' && s[1] >= '0' && s[1] <= '9')
		for (s++; *s >= '0' && *s <= '9'; s++)
			if (scale < 1000000000) {
				part = part * 10 + (uint64_t)(*s - '0');
				scale *= 10;
			}
	n = strcspn(s, " ");
	for (uint32_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strnlen(units[i].name, 4) != n || memcmp(s, units[i].name, n) != 0)
			continue;
		/* a part of an hour is no more than 64 bits hold either */
		part = units[i].ns >= scale ? part * (units[i].ns / scale) : part * units[i].ns / scale;
		*to = whole > UINT64_MAX / 2 / units[i].ns ? UINT64_MAX : whole * units[i].ns + part;
		return true;
	}
	return false;
}

static bool read_value(enum iot_setting setting, const char *s, uint64_t *to)
{
	if (table[setting].kind == IOT_IS_TIME)
		return read_time(s, to);
	return read_number(s, table[setting].kind == IOT_IS_SIZE, to);
}

/* What a value has to be; the text is good until the next one. */
static const char *wanted(const char *what, const char *values)
{
	static char text[64];
	size_t n = strlen(what);

	memcpy(text, what, n);
	memcpy(text + n, values, strlen(values) + 1);
	return text;
}

static const char switches[] = "on, off, yes, no, true, false, 1, 0";

static const char *fallback(enum iot_setting setting)
{
#ifdef IOT_DEFAULT_OFF
	if (setting == IOT_SET_ON)
		return "off";
#endif
	return table[setting].fallback;
}

const char *iot_setting_number(enum iot_setting setting, const char *value, uint64_t *to)
{
	const char *values = table[setting].values, *s = value ? value : fallback(setting);
	static const char *const what[] = { [IOT_IS_NUMBER] = "not a number from ", [IOT_IS_SIZE] = "not a size from ",
					    [IOT_IS_TIME] = "not a time (ns, us, ms, s, min, h, d) from " };
	uint64_t v, min, max;
	int place;

	switch (table[setting].kind) {
	case IOT_IS_SWITCH:
	case IOT_IS_WORD:
		if (table[setting].kind == IOT_IS_SWITCH)
			values = switches;
		place = place_in(values, s);
		if (place < 0)
			return wanted("not one of ", values);
		*to = (uint64_t)(values == switches ? !(place & 1) : place);
		return NULL;
	default:
		if (!read_value(setting, s, &v) || strchr(s, ' '))
			return wanted(what[table[setting].kind], values);
		if (value && (!read_value(setting, values, &min) || !read_value(setting, strrchr(values, ' ') + 1, &max) ||
			      v < min || v > max))
			return wanted(what[table[setting].kind], values);
		*to = v;
		return NULL;
	}
}

/* A rank; NULL: that is none. */
static const char *read_rank(const char *s, uint32_t *to)
{
	uint64_t v = 0;
	const char *from = s;

	for (; *s >= '0' && *s <= '9' && v <= INT32_MAX; s++)
		v = v * 10 + (uint64_t)(*s - '0');
	*to = (uint32_t)v;
	return s == from || v > INT32_MAX ? NULL : s;
}

const char *iot_setting_ranks(const char *value, uint32_t rank, bool *to)
{
	static const char wrong[] = "not a list of ranks, as 0-3,7 is";
	bool in = false;

	for (const char *s = value;; s++) {
		uint32_t first, last;

		s = read_rank(s, &first);
		last = first;
		if (s && *s == '-')
			s = read_rank(s + 1, &last);
		if (!s || last < first || (*s && *s != ','))
			return wrong;
		in |= rank >= first && rank <= last;
		if (!*s)
			break;
	}
	*to = in;
	return NULL;
}

/* An enum iot_family; -1: it is none. */
static int family_of(const char *name, size_t n)
{
	static const char names[][8] = {
#define IOT_FAMILY(id, name, ...) #name,
#include "../../table/families.def"
	};

	for (int i = 0; i < (int)(sizeof(names) / sizeof(names[0])); i++)
		if (n == strnlen(names[i], sizeof(names[i])) && !memcmp(name, names[i], n))
			return i;
	return -1;
}

/* Whether the table of calls has one of that name, or a system call.  An executable has
   only the calls that it makes; of MPI's the table is another one. */
static bool is_call(const char *name, size_t n)
{
	static const uint32_t hashes[] = {
#include "call-hashes.h"
	};
	uint32_t h = 0;

	if (n > 4 && !memcmp(name, "MPI_", 4))
		return true;
	for (size_t i = 0; i < n; i++)
		h = h * 33 + (unsigned char)name[i];
	for (size_t i = 0; i < sizeof(hashes) / sizeof(hashes[0]); i++)
		if (hashes[i] == h)
			return true;
	return false;
}

const char *iot_setting_calls(const char *value, struct iot_setting_calls *to, iot_setting_name_fn *each)
{
	struct iot_setting_calls calls = { .all_but = *value == '!' };
	const char *s = value;

	for (;; s++) {
		bool but = *s == '!';
		size_t n;
		int family;

		s += but;
		n = strcspn(s, ",");
		family = family_of(s, n);
		if (but && !calls.all_but)
			return "names with ! and without it can't be mixed";
		if (family < 0 && !is_call(s, n))
			return "neither calls nor families"
#define IOT_FAMILY(id, name, ...) " " #name
#include "../../table/families.def"
				;
		if (family >= 0)
			calls.families |= 1u << family;
		else if (each)
			each(s, (uint32_t)n);
		calls.has_names |= family < 0;
		s += n;
		if (!*s)
			break;
	}
	*to = calls;
	return NULL;
}
