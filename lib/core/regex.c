/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regex.c - a pattern becomes a small program that all positions of a
 * nondeterministic automaton run at once: time is pattern x text whatever the
 * pattern, and nothing is allocated.
 */
#include "regex.h"

#include <string.h>

enum { OP_CHAR, OP_ANY, OP_SET, OP_SPLIT, OP_JMP, OP_BOL, OP_EOL, OP_MATCH };

struct parser {
	struct iot_regex *re;
	const char *s;
	const char *error;
	int depth;
};

static void alternatives(struct parser *p);

static uint32_t emit(struct parser *p, uint8_t op, uint8_t c)
{
	struct iot_regex *re = p->re;

	if (re->n_ops >= IOT_RE_OPS) {
		p->error = "pattern is too long";
		re->n_ops = IOT_RE_OPS - 1;
	}
	re->op[re->n_ops] = (struct iot_re_op){ .op = op, .c = c };
	return re->n_ops++;
}

/* Makes room for one instruction at `at`, moving what follows. */
static void insert(struct parser *p, uint32_t at)
{
	struct iot_regex *re = p->re;

	emit(p, OP_JMP, 0);
	if (p->error)
		return;
	memmove(&re->op[at + 1], &re->op[at], (re->n_ops - 1 - at) * sizeof(re->op[0]));
	for (uint32_t i = at + 1; i < re->n_ops; i++) {
		if (re->op[i].op != OP_SPLIT && re->op[i].op != OP_JMP)
			continue;
		re->op[i].x += re->op[i].x >= at;
		re->op[i].y += re->op[i].y >= at;
	}
}

static void set_range(uint8_t *set, unsigned int lo, unsigned int hi)
{
	for (; lo <= hi; lo++)
		set[lo >> 3] |= (uint8_t)(1u << (lo & 7));
}

static bool named_class(struct parser *p, uint8_t *set)
{
	static const struct {
		char name[8];
		char ranges[9];
	} classes[] = {
		{ "alpha", "azAZ" },	 { "digit", "09" },   { "alnum", "azAZ09" },
		{ "upper", "AZ" },	 { "lower", "az" },   { "space", "\t\r  " },
		{ "punct", "!/:@[`{~" }, { "blank", "\t\t  " }, { "xdigit", "09afAF" },
		{ "print", " ~" },	 { "graph", "!~" },   { "cntrl", "\1\37\177\177" },
	};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		size_t n = strlen(classes[i].name);
		const char *r = classes[i].ranges;

		if (memcmp(p->s + 2, classes[i].name, n) || memcmp(p->s + 2 + n, ":]", 2))
			continue;
		for (size_t k = 0; k < sizeof(classes[i].ranges) - 1 && r[k]; k += 2)
			set_range(set, (unsigned char)r[k], (unsigned char)r[k + 1]);
		p->s += n + 4;
		return true;
	}
	p->error = "unknown character class";
	return false;
}

static void bracket(struct parser *p)
{
	struct iot_regex *re = p->re;
	uint8_t *set;
	bool negate = false, first = true;

	if (re->n_sets >= IOT_RE_SETS) {
		p->error = "too many bracket expressions";
		return;
	}
	set = re->set[re->n_sets];
	memset(set, 0, 32);
	if (*p->s == '^') {
		negate = true;
		p->s++;
	}
	for (; *p->s && (first || *p->s != ']'); first = false) {
		unsigned char lo = (unsigned char)*p->s;

		if (p->s[0] == '[' && p->s[1] == ':') {
			if (!strstr(p->s, ":]") || !named_class(p, set))
				break;
			continue;
		}
		if (p->s[0] == '[' && (p->s[1] == '.' || p->s[1] == '=')) {
			p->error = "collating symbols are not known here";
			break;
		}
		p->s++;
		if (p->s[0] == '-' && p->s[1] && p->s[1] != ']') {
			unsigned char hi = (unsigned char)p->s[1];

			if (hi < lo)
				p->error = "range is out of order";
			else
				set_range(set, lo, hi);
			p->s += 2;
		} else {
			set_range(set, lo, lo);
		}
	}
	if (*p->s++ != ']') {
		if (!p->error)
			p->error = "[ without ]";
		p->s--;
		return;
	}
	if (negate)
		for (int i = 0; i < 32; i++)
			set[i] = (uint8_t)~set[i];
	emit(p, OP_SET, (uint8_t)re->n_sets++);
}

static void atom(struct parser *p)
{
	char c = *p->s++;

	switch (c) {
	case '(':
		if (++p->depth > 32) {
			p->error = "too many parentheses";
			return;
		}
		alternatives(p);
		p->depth--;
		if (*p->s == ')')
			p->s++;
		else if (!p->error)
			p->error = "( without )";
		break;
	case '[':
		bracket(p);
		break;
	case '.':
		emit(p, OP_ANY, 0);
		break;
	case '^':
		emit(p, OP_BOL, 0);
		break;
	case '$':
		emit(p, OP_EOL, 0);
		break;
	case '*':
	case '+':
	case '?':
	case '{':
		p->error = "nothing to repeat";
		break;
	case '\\':
		if (!*p->s) {
			p->error = "trailing backslash";
			break;
		}
		c = *p->s++;
		/* \1, \w, \<: other matchers' extensions, and never a plain character */
		if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    strchr("<>`'", c)) {
			p->error = "backslash before a character that needs none";
			break;
		}
		/* fall through */
	default:
		emit(p, OP_CHAR, (uint8_t)c);
	}
}

static void star(struct parser *p, uint32_t from)
{
	insert(p, from);
	uint32_t jmp = emit(p, OP_JMP, 0);

	p->re->op[jmp].x = p->re->op[jmp].y = (uint16_t)from;
	p->re->op[from] = (struct iot_re_op){ OP_SPLIT, 0, (uint16_t)(from + 1), (uint16_t)(jmp + 1) };
}

static void optional(struct parser *p, uint32_t from)
{
	insert(p, from);
	p->re->op[from] = (struct iot_re_op){ OP_SPLIT, 0, (uint16_t)(from + 1),
					      (uint16_t)p->re->n_ops };
}

/* {m}, {m,} or {m,n}; max = -1 if open.  Returns false if it is no bound. */
static bool bounds(struct parser *p, int *min, int *max)
{
	const char *s = p->s + 1;
	int v[2] = { 0, -1 };

	for (int i = 0; i < 2; i++) {
		if (*s >= '0' && *s <= '9')
			for (v[i] = 0; *s >= '0' && *s <= '9' && v[i] <= 255; s++)
				v[i] = v[i] * 10 + *s - '0';
		else if (i == 0)
			return false;
		if (i == 0 && *s == '}')
			v[1] = v[0];
		if (*s == '}')
			break;
		if (i == 0 && *s++ != ',')
			return false;
	}
	if (*s != '}' || v[0] > 255 || v[1] > 255 || (v[1] >= 0 && v[1] < v[0]))
		return false;
	p->s = s + 1;
	*min = v[0];
	*max = v[1];
	return true;
}

/* Repeats what was compiled from `from` on. */
static void repeat(struct parser *p, uint32_t from, int min, int max)
{
	struct iot_regex *re = p->re;
	struct iot_re_op once[IOT_RE_OPS];
	uint32_t len = re->n_ops - from;

	memcpy(once, &re->op[from], len * sizeof(once[0]));
	re->n_ops = from;
	for (int i = 0; (i < min || i < max || (max < 0 && i <= min)) && !p->error; i++) {
		uint32_t at = re->n_ops, shift = at - from;

		if (at + len >= IOT_RE_OPS) {
			p->error = "pattern is too long";
			return;
		}
		memcpy(&re->op[at], once, len * sizeof(once[0]));
		re->n_ops += len;
		/* all of an atom's jumps stay within it or lead to its end */
		for (uint32_t k = at; k < re->n_ops; k++) {
			re->op[k].x = (uint16_t)(re->op[k].x + shift);
			re->op[k].y = (uint16_t)(re->op[k].y + shift);
		}
		if (i >= min && max < 0)
			star(p, at);
		else if (i >= min)
			optional(p, at);
	}
}

static void branch(struct parser *p)
{
	while (*p->s && *p->s != '|' && !(*p->s == ')' && p->depth) && !p->error) {
		uint32_t from = p->re->n_ops;
		int min, max;

		atom(p);
		while (!p->error) {
			if (*p->s == '*') {
				star(p, from);
			} else if (*p->s == '+') {
				uint32_t split = emit(p, OP_SPLIT, 0);

				p->re->op[split].x = (uint16_t)from;
				p->re->op[split].y = (uint16_t)(split + 1);
			} else if (*p->s == '?') {
				optional(p, from);
			} else if (*p->s == '{') {
				if (!bounds(p, &min, &max)) {
					p->error = "bad repetition count";
					break;
				}
				repeat(p, from, min, max);
				continue;
			} else {
				break;
			}
			p->s++;
		}
	}
}

static void alternatives(struct parser *p)
{
	uint32_t from = p->re->n_ops;

	branch(p);
	while (*p->s == '|' && !p->error) {
		uint32_t jmp;

		p->s++;
		insert(p, from);
		jmp = emit(p, OP_JMP, 0);
		p->re->op[from] = (struct iot_re_op){ OP_SPLIT, 0, (uint16_t)(from + 1),
						      (uint16_t)(jmp + 1) };
		/* the first branch, now [from + 1, jmp), goes on behind the others */
		branch(p);
		if (!p->error)
			p->re->op[jmp].x = p->re->op[jmp].y = (uint16_t)p->re->n_ops;
	}
}

const char *iot_re_compile(struct iot_regex *re, const char *pattern)
{
	struct parser p = { .re = re, .s = pattern };

	re->n_ops = re->n_sets = 0;
	alternatives(&p);
	if (!p.error && *p.s)
		p.error = "unmatched )";
	emit(&p, OP_MATCH, 0);
	return p.error;
}

struct positions {
	uint64_t bit[(IOT_RE_OPS + 63) / 64];
	bool matched;
};

/* Adds a position and all that it leads to without reading a character. */
static void add(const struct iot_regex *re, struct positions *l, uint32_t first, bool bol, bool eol)
{
	uint16_t todo[IOT_RE_OPS];
	uint32_t n = 0;

	todo[n++] = (uint16_t)first;
	while (n) {
		uint32_t pc = todo[--n];
		const struct iot_re_op *op = &re->op[pc];

		if (l->bit[pc >> 6] >> (pc & 63) & 1)
			continue;
		l->bit[pc >> 6] |= 1ULL << (pc & 63);
		if (op->op == OP_MATCH)
			l->matched = true;
		if (n + 2 > IOT_RE_OPS)
			continue;
		if (op->op == OP_JMP || op->op == OP_SPLIT)
			todo[n++] = op->x;
		if (op->op == OP_SPLIT)
			todo[n++] = op->y;
		if ((op->op == OP_BOL && bol) || (op->op == OP_EOL && eol))
			todo[n++] = (uint16_t)(pc + 1);
	}
}

static bool takes(const struct iot_regex *re, const struct iot_re_op *op, uint8_t c)
{
	switch (op->op) {
	case OP_CHAR:
		return op->c == c;
	case OP_ANY:
		return true;
	case OP_SET:
		return re->set[op->c][c >> 3] >> (c & 7) & 1;
	default:
		return false;
	}
}

bool iot_re_search(const struct iot_regex *re, const char *s, size_t n)
{
	struct positions now = { 0 }, then;

	for (size_t i = 0;; i++) {
		add(re, &now, 0, i == 0, i == n);
		if (now.matched || i == n)
			return now.matched;
		memset(&then, 0, sizeof(then));
		for (uint32_t pc = 0; pc < re->n_ops; pc++)
			if (now.bit[pc >> 6] >> (pc & 63) & 1 &&
			    takes(re, &re->op[pc], (uint8_t)s[i]))
				add(re, &then, pc + 1, false, i + 1 == n);
		now = then;
	}
}
