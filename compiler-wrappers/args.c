/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * args.c - what the arguments ask of the compiler: whether it compiles or links, and
 * what.  Options that do not matter are not listed, unless the next argument is theirs.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "iocc.h"

/* What an option means, or what the argument behind it is. */
enum action {
	NOTHING, COMPILE, NO_CODE, STATIC, PLAIN, BARE, LIBC, LIB, LIB_GFORTRAN, LIB_GCC,
	STATIC_GFORTRAN, SPLIT, NO_SPLIT, INFORM, MPI_INFORM, LINKER, LINKER_PATH, THREADS,
	LINKER_WORDS, LANGUAGE, OUTPUT, OMITS, KEEPS, LTO, NO_LTO, OTHER_LIBC, SANITIZE,
	NO_SANITIZE, STATIC_SANITIZER, SHARED_SANITIZER, INCLUDE, FORCED, LIB_DIR, WRAP, SYMBOL,
	/* the next argument */
	NEXT, SKIP = NEXT, NEXT_OUTPUT, NEXT_LANGUAGE, NEXT_LIB, NEXT_LINKER, NEXT_INCLUDE,
	NEXT_FORCED, NEXT_LIB_DIR, NEXT_OTHER_LIBC, NEXT_WRAP, NEXT_SYMBOL,
};

struct option {
	const char *name; /* ends with *: and whatever follows, which is the value */
	enum action action;
};

/* The first that fits counts.  GCC's long spellings are listed where a build system
   would use them. */
static const struct option options[] = {
	{ "-c", COMPILE }, { "-S", COMPILE }, { "--compile", COMPILE }, { "--assemble", COMPILE },
	{ "-E", NO_CODE }, { "-M", NO_CODE }, { "-MM", NO_CODE }, { "-fsyntax-only", NO_CODE },
	{ "--preprocess", NO_CODE }, { "--dependencies", NO_CODE },
	{ "--user-dependencies", NO_CODE }, { "--analyze", NO_CODE },
	{ "--precompile", NO_CODE }, { "-emit-ast", NO_CODE }, { "-fdriver-only", NO_CODE },
	{ "-o", NEXT_OUTPUT }, { "--output", NEXT_OUTPUT },
	{ "-x", NEXT_LANGUAGE }, { "--language", NEXT_LANGUAGE },
	{ "-static", STATIC }, { "--static", STATIC }, { "-static-pie", STATIC },
	{ "--static-pie", STATIC },
	{ "-shared", PLAIN }, { "--shared", PLAIN }, { "-r", PLAIN }, { "-nostdlib", PLAIN },
	{ "-nostartfiles", PLAIN }, { "--no-standard-libraries", PLAIN },
	{ "-flinker-output=*", PLAIN },
	{ "-nodefaultlibs", BARE }, { "-nolibc", BARE },
	{ "-lc", LIBC }, { "-lgfortran", LIB_GFORTRAN }, { "-lgcc", LIB_GCC }, { "-l", NEXT_LIB },
	{ "-static-libgfortran", STATIC_GFORTRAN },
	{ "-static-libasan", STATIC_SANITIZER }, { "-static-libtsan", STATIC_SANITIZER },
	{ "-static-liblsan", STATIC_SANITIZER }, { "-static-libubsan", STATIC_SANITIZER },
	{ "-static-libhwasan", STATIC_SANITIZER },
	{ "-shared-libasan", SHARED_SANITIZER }, { "-shared-libsan", SHARED_SANITIZER },
	{ "-fsanitize=*", SANITIZE }, { "-fno-sanitize=all", NO_SANITIZE },
	{ "-Xlinker", NEXT_LINKER }, { "--for-linker", NEXT_LINKER },
	{ "-fsplit-stack", SPLIT }, { "-fno-split-stack", NO_SPLIT },
	{ "-###", INFORM }, { "--help*", INFORM }, { "--target-help", INFORM },
	{ "--version", INFORM }, { "-cc1*", INFORM }, { "-dumpversion", INFORM },
	{ "-dumpfullversion", INFORM }, { "-dumpmachine", INFORM }, { "-dumpspecs", INFORM },
	{ "-I", NEXT_INCLUDE }, { "-iquote", NEXT_INCLUDE }, { "--include-directory", NEXT_INCLUDE },
	{ "-L", NEXT_LIB_DIR }, { "--library-directory", NEXT_LIB_DIR },
	{ "-B", NEXT_OTHER_LIBC }, { "--prefix", NEXT_OTHER_LIBC }, { "-isysroot", NEXT_OTHER_LIBC },
	{ "--sysroot", NEXT_OTHER_LIBC }, { "-specs", NEXT_OTHER_LIBC },
	{ "--specs", NEXT_OTHER_LIBC }, { "-target", NEXT_OTHER_LIBC },
	{ "-gcc-toolchain", NEXT_OTHER_LIBC }, { "--config", NEXT_OTHER_LIBC },
	{ "-D", SKIP }, { "-U", SKIP }, { "-A", SKIP }, { "-T", SKIP }, { "-u", SKIP },
	{ "-z", SKIP }, { "-e", SKIP }, { "-J", SKIP }, { "--param", SKIP }, { "-include", NEXT_FORCED },
	{ "-imacros", NEXT_FORCED }, { "-imultilib", SKIP }, { "-iprefix", SKIP },
	{ "-iwithprefix", SKIP }, { "-iwithprefixbefore", SKIP }, { "-isystem", NEXT_INCLUDE },
	{ "-idirafter", NEXT_INCLUDE }, { "-ivfsoverlay", SKIP }, { "-include-pch", SKIP },
	{ "-MF", SKIP }, { "-MT", SKIP }, { "-MQ", SKIP }, { "-MJ", SKIP }, { "-aux-info", SKIP },
	{ "-wrapper", SKIP }, { "-Xassembler", SKIP }, { "-Xpreprocessor", SKIP },
	{ "-Xclang", SKIP }, { "-Xanalyzer", SKIP }, { "-mllvm", SKIP }, { "-arch", SKIP },
	{ "-dumpbase", SKIP }, { "-dumpbase-ext", SKIP }, { "-dumpdir", SKIP }, { "-Ttext", SKIP },
	{ "-Tdata", SKIP }, { "-Tbss", SKIP }, { "-rpath", SKIP }, { "-working-directory", SKIP },
	{ "--include", NEXT_FORCED }, { "--imacros", NEXT_FORCED }, { "--define-macro", SKIP },
	{ "--undefine-macro", SKIP }, { "--entry", SKIP }, { "--force-link", SKIP },
	{ "-framework", SKIP },
	{ "-print-*", INFORM }, { "--print-*", INFORM },
	{ "-show", MPI_INFORM }, { "-showme*", MPI_INFORM }, { "--showme*", MPI_INFORM },
	{ "-compile_info", MPI_INFORM }, { "-compile-info", MPI_INFORM },
	{ "-link_info", MPI_INFORM }, { "-link-info", MPI_INFORM },
	{ "-fuse-ld=*", LINKER }, { "--ld-path=*", LINKER_PATH },
	{ "-fopenmp*", THREADS }, { "-fopenacc*", THREADS }, { "-ftree-parallelize-loops=*", THREADS },
	{ "-fomit-frame-pointer", OMITS }, { "-fno-omit-frame-pointer", KEEPS },
	{ "-flto*", LTO }, { "-fno-lto", NO_LTO },
	{ "-Wl,*", LINKER_WORDS },
	{ "-march=*", NOTHING }, { "-mtune=*", NOTHING }, { "-m64", NOTHING }, { "-msse*", NOTHING },
	{ "-mavx*", NOTHING }, { "-mno-*", NOTHING },
	{ "-m*", OTHER_LIBC }, { "--sysroot=*", OTHER_LIBC }, { "-B*", OTHER_LIBC },
	{ "-specs=*", OTHER_LIBC }, { "--specs=*", OTHER_LIBC }, { "--target=*", OTHER_LIBC },
	{ "--gcc-toolchain=*", OTHER_LIBC }, { "--config=*", OTHER_LIBC }, { "-stdlib=*", OTHER_LIBC },
	{ "-include*", FORCED }, { "-imacros*", FORCED }, { "-isystem*", INCLUDE },
	{ "-iquote*", INCLUDE }, { "-idirafter*", INCLUDE }, { "-I*", INCLUDE }, { "-L*", LIB_DIR }, { "-l*", LIB }, { "-x*", LANGUAGE },
	{ "--language=*", LANGUAGE }, { "-o*", OUTPUT }, { "--output=*", OUTPUT },
	{ NULL, NOTHING },
};

/* Of the linker: -r and such, and what the next word belongs to. */
static const struct option linker_options[] = {
	{ "-r", PLAIN }, { "-i", PLAIN }, { "-Ur", PLAIN }, { "--relocatable", PLAIN },
	{ "-shared", PLAIN }, { "--shared", PLAIN }, { "-Bshareable", PLAIN },
	{ "-Bstatic", STATIC }, { "-dn", STATIC }, { "-non_shared", STATIC }, { "-static", STATIC },
	{ "--static", STATIC },
	{ "-Bdynamic", NO_CODE }, { "-dy", NO_CODE }, { "-call_shared", NO_CODE },
	{ "-l", NEXT_LIB }, { "--library", NEXT_LIB },
	{ "-L", NEXT_LIB_DIR }, { "--library-path", NEXT_LIB_DIR },
	{ "-m", SKIP }, { "-z", SKIP }, { "-o", SKIP }, { "--output", SKIP }, { "-e", SKIP },
	{ "--entry", SKIP }, { "-u", SKIP }, { "--undefined", SKIP }, { "--require-defined", SKIP },
	{ "-y", SKIP }, { "--trace-symbol", SKIP }, { "-h", SKIP }, { "-soname", SKIP },
	{ "--soname", SKIP }, { "-I", SKIP }, { "-dynamic-linker", SKIP },
	{ "--dynamic-linker", SKIP }, { "-A", SKIP }, { "--architecture", SKIP }, { "-b", SKIP },
	{ "--format", SKIP }, { "--oformat", SKIP }, { "-F", SKIP }, { "--filter", SKIP },
	{ "-f", SKIP }, { "--auxiliary", SKIP }, { "-a", SKIP }, { "-G", SKIP }, { "-R", SKIP },
	{ "--just-symbols", SKIP }, { "-Map", SKIP }, { "--Map", SKIP }, { "-rpath", SKIP },
	{ "--rpath", SKIP }, { "-rpath-link", SKIP }, { "--rpath-link", SKIP }, { "-Y", SKIP },
	{ "-P", SKIP }, { "--audit", SKIP }, { "--depaudit", SKIP }, { "-plugin", SKIP },
	{ "--plugin", SKIP }, { "-plugin-opt", SKIP }, { "--plugin-opt", SKIP }, { "-init", SKIP },
	{ "--init", SKIP }, { "-fini", SKIP }, { "--fini", SKIP }, { "-Ttext", SKIP },
	{ "-Tdata", SKIP }, { "-Tbss", SKIP }, { "-Ttext-segment", SKIP }, { "--section-start", SKIP },
	{ "-defsym", NEXT_SYMBOL }, { "--defsym", NEXT_SYMBOL }, { "-defsym=*", SYMBOL },
	{ "--defsym=*", SYMBOL }, { "-wrap", NEXT_WRAP }, { "--wrap", NEXT_WRAP },
	{ "-wrap=*", WRAP }, { "--wrap=*", WRAP },
	{ "-version-script", SKIP }, { "--version-script", SKIP }, { "-dynamic-list", SKIP },
	{ "--dynamic-list", SKIP }, { "--export-dynamic-symbol", SKIP },
	{ "--export-dynamic-symbol-list", SKIP }, { "--retain-symbols-file", SKIP },
	{ "--exclude-libs", SKIP }, { "--dependency-file", SKIP }, { "-assert", SKIP },
	{ "--task-link", SKIP }, { "--hash-style", SKIP }, { "--sort-section", SKIP },
	{ NULL, NOTHING },
};

/* What the next argument is to an option, of the driver and of the linker, and how
   deep response files nest. */
struct reader {
	struct request *r;
	enum action want, linker_want;
	const char *language;
	int depth;
};

static enum action look_up(const struct option *table, const char *word, const char **value)
{
	for (; table->name; table++) {
		size_t n = strlen(table->name);

		if (table->name[1] != word[1])
			continue;
		if (table->name[n - 1] == '*') {
			if (!strncmp(word, table->name, n - 1)) {
				*value = word + n - 1;
				return table->action;
			}
		} else if (!strcmp(word, table->name)) {
			return table->action;
		}
	}
	return NOTHING;
}

/* Configure scripts (autoconf, CMake, Meson) try the compiler on files of these names;
   what they look at has to be what the compiler does by itself. */
static void look_at_name(struct request *r, const char *path)
{
	const char *base = iot_base(path), *cmake = strstr(path, "CMakeFiles/cmTC_");

	if (iot_begins(base, "conftest") || iot_begins(base, "conftst") ||
	    iot_begins(base, "libconftest") || iot_begins(base, "CMakeCCompilerId.") ||
	    iot_begins(base, "CMakeCXXCompilerId.") ||
	    iot_begins(base, "CMakeFortranCompilerId.") || iot_begins(base, "cmTC_"))
		r->probe = true;
	if ((cmake && strstr(cmake, ".dir/")) || strstr(path, "/CMakeScratch/") ||
	    strstr(path, "/CMakeTmp/") || iot_begins(path, "meson-private/") ||
	    strstr(path, "/meson-private/"))
		r->probe = true;
}

/* Whether a file name's ending is in a list of such, with spaces around each. */
static bool ends_in(const char *name, const char *list)
{
	const char *dot = strrchr(name, '.'), *at = list;
	size_t n;

	if (!dot || strpbrk(dot, "/ "))
		return false;
	n = strlen(++dot);
	while (n && (at = strstr(at, dot))) {
		if (at[-1] == ' ' && at[n] == ' ')
			return true;
		at++;
	}
	return false;
}

static const char sources[] =
	" c i ii cc cp cxx cpp CPP c++ C m mi mm M mii ll bc cppm ixx f for ftn fpp f90 f95 f03 f08"
	" F FOR FTN FPP F90 F95 F03 F08 d ads adb go gimple ";
static const char headers[] = " h hh H hp hxx hpp HPP h++ tcc ";

/* libmpi.so, libmpich.a, mpi, mpi_cxx: MPI's library, by file or by -l */
static void look_for_mpi(struct request *r, const char *given, const char *name)
{
	if (!iot_begins(name, "mpi"))
		return;
	name += strlen("mpi");
	if (iot_begins(name, "ch"))
		name += strlen("ch");
	if (!*name || *name == '.')
		r->mpi = given;
}

static void read_input(struct reader *a, const char *path)
{
	struct request *r = a->r;
	const char *base = iot_base(path);

	r->files++;
	iot_add(&r->inputs, path);
	iot_add(&r->order, path);
	look_at_name(r, path);
	if (!strcmp(path, "-"))
		r->from_stdin = true;
	if (iot_ends(path, "libgcc.a"))
		r->threads = true;
	if (iot_ends(path, "libgfortran.a"))
		r->fortran = FORTRAN_STATIC;
	if (iot_ends(path, "libaio.a"))
		r->libaio = path;
	if (iot_ends(path, "liburing.a"))
		iot_add(&r->again, path);
	if (iot_begins(base, "lib") && (strstr(base, ".so") || iot_ends(base, ".a")))
		look_for_mpi(r, path, base + strlen("lib"));
	if (a->language && iot_ends(a->language, "-header"))
		r->headers++;
	else if (a->language && iot_begins(a->language, "assembler"))
		return;
	else if (a->language || ends_in(path, sources))
		r->sources++;
	else if (ends_in(path, headers))
		r->headers++;
}

static void read_library(struct request *r, const char *name)
{
	iot_add(&r->libs, name);
	iot_add(&r->order, iot_text("-l%s", name));
	if (!strcmp(name, "gfortran") && r->fortran != FORTRAN_STATIC)
		r->fortran = FORTRAN_LIB;
	else if (!strcmp(name, "gcc"))
		r->threads = true;
	else if (!strcmp(name, "aio") || !strcmp(name, ":libaio.a"))
		r->libaio = iot_text("-l%s", name);
	else if (!strcmp(name, "uring") || !strcmp(name, ":liburing.a"))
		iot_add(&r->again, iot_text("-l%s", name));
	else
		look_for_mpi(r, iot_text("-l%s", name), name);
}

/* -lc alone is nothing to link. */
static void read_named_library(struct request *r, const char *name)
{
	if (!strcmp(name, "c"))
		r->libc = true;
	else
		read_library(r, name);
}

static void nest(struct reader *a, const char *path)
{
	if (++a->depth >= 20)
		iot_die(1, "response files nest too deeply: %s", path);
}

/* -T and -c name scripts, which may name inputs. */
static bool is_script(const char *word)
{
	return !strcmp(word, "-T") || !strcmp(word, "--script") || !strcmp(word, "-dT") ||
	       !strcmp(word, "--mri-script") || !strcmp(word, "-c");
}

static void read_linker_word(struct reader *a, const char *word)
{
	enum action want = a->linker_want;
	struct request *r = a->r;
	struct words words = { 0 };
	const char *value;

	a->linker_want = NOTHING;
	if (want == NEXT_LIB)
		read_named_library(r, word);
	if (want == NEXT_LIB_DIR)
		iot_add(&r->lib_dirs, word);
	if (want == NEXT_WRAP)
		iot_add(&r->wraps, word);
	if (want == NEXT_SYMBOL)
		iot_add(&r->symbols, word);
	if (want || is_script(word))
		return;
	if (*word == '@' && iot_split_response(&words, word + 1)) {
		nest(a, word + 1);
		for (size_t i = 0; i < words.n; i++)
			read_linker_word(a, words.v[i]);
		a->depth--;
	} else if (*word && *word != '-') {
		/* what it is, is its name's to say: -x is not for the linker */
		r->files++;
		iot_add(&r->linked, word);
		iot_add(&r->order, word);
		look_at_name(r, word);
		if (iot_ends(word, "libgcc.a"))
			r->threads = true;
		if (iot_ends(word, "libgfortran.a"))
			r->fortran = FORTRAN_STATIC;
		if (iot_ends(word, "libaio.a"))
			r->libaio = word;
		if (iot_ends(word, "liburing.a"))
			iot_add(&r->again, word);
		if (iot_begins(iot_base(word), "lib"))
			look_for_mpi(r, word, iot_base(word) + strlen("lib"));
	} else if (iot_begins(word, "-l") && word[2]) {
		read_named_library(r, word + 2);
	} else if (iot_begins(word, "--library=")) {
		read_named_library(r, word + strlen("--library="));
	} else if (iot_begins(word, "-L") && word[2]) {
		iot_add(&r->lib_dirs, word + 2);
	} else {
		enum action action = look_up(linker_options, word, &value);

		if (action == PLAIN)
			r->plain = true;
		else if (action == STATIC || action == NO_CODE)
			r->bstatic = action == STATIC;
		else if (action == WRAP)
			iot_add(&r->wraps, value);
		else if (action == SYMBOL)
			iot_add(&r->symbols, value);
		else
			a->linker_want = action;
	}
}

static void read_linker_words(struct reader *a, const char *list)
{
	struct words words = iot_split(list, ",");

	for (size_t i = 0; i < words.n; i++)
		read_linker_word(a, words.v[i]);
}

static void read_option(struct reader *a, const char *word)
{
	struct request *r = a->r;
	struct words words;
	const char *value = "";
	enum action action = look_up(options, word, &value);

	switch (action) {
	case NOTHING: break;
	case COMPILE:
		if (r->mode != MODE_OTHER)
			r->mode = MODE_COMPILE;
		break;
	case NO_CODE: r->mode = MODE_OTHER; break;
	case STATIC: r->is_static = true; break;
	case PLAIN: r->plain = true; break;
	case BARE: r->bare = true; break;
	case LIBC: r->libc = true; break;
	case LIB: read_named_library(r, value); break;
	case LIB_GFORTRAN: read_library(r, "gfortran"); break;
	case LIB_GCC: read_library(r, "gcc"); break;
	case STATIC_GFORTRAN: r->fortran = FORTRAN_STATIC; break;
	case SPLIT: r->split_stack = true; break;
	case NO_SPLIT: r->split_stack = false; break;
	case INFORM: r->inform = true; break;
	case MPI_INFORM: r->inform |= iot_self.driver == DRIVER_MPI; break;
	case LINKER: r->ld = value; break;
	case LINKER_PATH: r->ld = iot_base(value); break;
	case THREADS: r->threads = true; break;
	case LINKER_WORDS: read_linker_words(a, value); break;
	case LANGUAGE: a->language = strcmp(value, "none") ? value : NULL; break;
	case OUTPUT: look_at_name(r, value); break;
	case OMITS: r->omits = true; break;
	case KEEPS: r->omits = false; break;
	case LTO: r->lto = true; break;
	case NO_LTO: r->lto = false; break;
	case OTHER_LIBC: r->other_libc = true; break;
	case INCLUDE: iot_add(&r->includes, value); break;
	case FORCED: iot_add(&r->forced, value); break;
	case LIB_DIR: iot_add(&r->lib_dirs, value); break;
	case SANITIZE:
		words = iot_split(value, ",");
		iot_add_all(&r->sanitizers, &words);
		break;
	case NO_SANITIZE: r->sanitizers.n = 0; break;
	case STATIC_SANITIZER: iot_add(&r->static_sanitizers, word); break;
	case SHARED_SANITIZER: r->shared_sanitizer = true; break;
	default: a->want = action; break;
	}
}

static void read_next(struct reader *a, enum action want, const char *argument)
{
	struct request *r = a->r;

	switch (want) {
	case NEXT_OUTPUT: look_at_name(r, argument); break;
	case NEXT_LANGUAGE: a->language = strcmp(argument, "none") ? argument : NULL; break;
	case NEXT_LIB: read_named_library(r, argument); break;
	case NEXT_LINKER: read_linker_word(a, argument); break;
	case NEXT_INCLUDE: iot_add(&r->includes, argument); break;
	case NEXT_FORCED: iot_add(&r->forced, argument); break;
	case NEXT_LIB_DIR: iot_add(&r->lib_dirs, argument); break;
	case NEXT_OTHER_LIBC: r->other_libc = true; break;
	default: break;
	}
}

static void read_argument(struct reader *a, const char *argument)
{
	enum action want = a->want;
	struct words words = { 0 };

	a->want = NOTHING;
	if (strstr(argument, "__wrap_"))
		iot_add(&a->r->mentions, argument);
	if (want) {
		read_next(a, want, argument);
	} else if (*argument == '@' && argument[1] && iot_split_response(&words, argument + 1)) {
		nest(a, argument + 1);
		for (size_t i = 0; i < words.n; i++)
			read_argument(a, words.v[i]);
		a->depth--;
	} else if (*argument == '-' && argument[1]) {
		read_option(a, argument);
	} else if (*argument) {
		read_input(a, argument);
	}
}

void iot_read_arguments(struct request *r, char *const *arguments, size_t n)
{
	struct reader a = { .r = r };

	for (size_t i = 0; i < n; i++)
		read_argument(&a, arguments[i]);
}
