/* SPDX-License-Identifier: BSD-3-Clause */
/* link.c - what is added to a link, so that the executable records its I/O. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "iocc.h"

static bool is_file(const char *path)
{
	return *path && iot_file(path);
}

/* The whole archives, since libraries and plugins may call what the program does not;
   behind all that may define a function of such a name itself.  exported: a list of what
   linkers would not export by themselves, as they do with what a library has, too. */
static const char *whole(const char *archives)
{
	return iot_text("-Wl,--push-state,--whole-archive,%s,--pop-state", archives);
}

static void add_whole(struct words *to, const char *archives, const char *exported)
{
	iot_add(to, archives);
	iot_add(to, iot_text("-Wl,--dynamic-list=%s", exported));
}

/*
 * Our archive defines functions that the program would have had from MPI's library, so
 * that a linker with --as-needed, as Debian's gcc calls it, finds no use for the library
 * behind it.  In front of it the library is kept or left out as without us.  LLVM's linker
 * and mold decide when they have read everything, and search archives for what shared
 * libraries need too: there ours needs MPI's library, and is only taken if it is called.  That
 * a library behind another calls MPI they don't see, nor mold that mpi_f08's library has such a
 * one behind it: ours is asked for there.
 */
static void add_mpi(struct command *c, const struct mpi *m, const struct request *r, const struct place *p)
{
	const char *exported = iot_text("%s/%s.dynamic.list", p->mpidir, m->name);
	bool mold = iot_links_by_mold(r);

	if (mold || iot_links_by_lld(r)) {
		if (m->behind || (mold && iot_self.fortran)) {
			iot_add(&c->after, "-Wl,-u,MPI_File_open");
			iot_add(&c->after, iot_text("-Wl,--dynamic-list=%s", exported));
		}
		iot_add(&c->after, iot_text("-Wl,%s/libiotrace-mpi-%s-lazy.a", p->mpidir, m->name));
		iot_add(&c->after, !m->behind && iot_needs_mpi(c, r, m) ?
					   iot_text("-Wl,%s/libiotrace-mpi-%s-needs.a", p->mpidir, m->name) :
					   "-Wl,--defsym=iot_needs_mpi=0");
		return;
	}
	iot_add_all(&c->after, &m->libs);
	add_whole(&c->after, whole(m->archive), exported);
}

/* Whether the runtime is the one that there is a copy of; not if it is named as a file. */
static bool is_copied(const struct request *r)
{
	char *copied = *LIBGFORTRAN_A ? iot_real(LIBGFORTRAN_A) : NULL, *found;

	if (!copied || !iot_is_part("direct-fortran/libgfortran.a"))
		return false;
	for (size_t i = 0; i < r->inputs.n + r->linked.n; i++)
		if (iot_ends(i < r->inputs.n ? r->inputs.v[i] : r->linked.v[i - r->inputs.n], "libgfortran.a"))
			return false;
	found = iot_real(iot_ask_1("-print-file-name=libgfortran.a"));
	return found && !strcmp(found, copied);
}

/*
 * A libgfortran.a would be searched for what is defined already, so this is by --wrap.  A
 * program with wrappers of its own gets a copy of the runtime, in which ours have the names
 * of the statements (direct.sh).  What they refer to weakly has to be there.
 */
static void add_fortran(struct command *c, const struct request *r, const struct place *p, const struct wraps *w)
{
	if (!w->fortran) {
		iot_add(&c->after, iot_text("-Wl,@%s/fortran.list", p->libdir));
		iot_add(&c->after, iot_text("-Wl,%s/libiotrace-fortran.a", p->libdir));
	} else if (is_copied(r)) {
		iot_add(&c->before, iot_text("-L%s/direct-fortran", p->libdir));
		iot_add(&c->before, "-Wl,-u,iot_static__gfortran_st_write,-u,iot_static__gfortrani_generate_error");
	} else {
		iot_not_instrumented("Fortran's statements (the program wraps some of them itself, and "
				     "links another libgfortran.a than %s)",
				     *LIBGFORTRAN_A ? LIBGFORTRAN_A : "iotrace was configured with");
	}
}

static void add_kept(struct words *to, const char *library)
{
	iot_add(to, "-Wl,--push-state,--no-as-needed");
	iot_add(to, library);
	iot_add(to, "-Wl,--pop-state");
}

/* Asks for a library where it is named, so that those that the executable needs stay in their order;
   where it is named first, which mold goes by.  In front of all if it is a word of the linker's. */
static void keep(struct command *c, const char *library)
{
	struct words args = { 0 };
	bool named = false;

	for (size_t i = 0; i < c->args.n; i++) {
		const char *word = c->args.v[i];

		if (named || strcmp(word, library) != 0 || (i && !strcmp(c->args.v[i - 1], "-Xlinker"))) {
			iot_add(&args, word);
		} else {
			add_kept(&args, library);
			named = true;
		}
	}
	if (named)
		c->args = args;
	else
		add_kept(&c->before, library);
}

static void add_dynamic(struct command *c, const struct request *r, const struct place *p)
{
	const char *guests = "", *exported = iot_text("%s/dynamic.list", p->libdir);
	const struct {
		bool lacks;
		const char *name;
	} libraries[] = {
		{ r->lacks.fortran || r->fortran == FORTRAN_STATIC, "fortran" },
		{ r->lacks.libaio, "libaio" },
		{ r->lacks.liburing, "liburing" },
	};
	bool call = iot_calls_sanitizer(r);

	if (r->fortran == FORTRAN_STATIC) {
		struct wraps w = iot_program_wraps(r, p);

		if (!w.fortran)
			iot_add(&c->after, "-Wl,-u,__wrap__gfortrani_data_transfer_init_worker");
		add_fortran(c, r, p, &w);
	}
	/* mold warns of names on a list that the executable does not have */
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
		if (libraries[i].lacks)
			continue;
		guests = iot_text("%s,%s/libiotrace-dynamic-%s.a", guests, p->libdir, libraries[i].name);
		exported = iot_text("%s,--dynamic-list=%s/dynamic-%s.list", exported, p->libdir, libraries[i].name);
	}
	c->unsanitized = whole(iot_text("%s/libiotrace-dynamic.a%s", p->libdir, guests));
	if (call)
		c->sanitized = whole(iot_text("%s/libiotrace-sanitized.a%s", p->libdir, guests));
	add_whole(&c->after, call ? c->sanitized : c->unsanitized, exported);
	for (size_t i = 0; i < r->kept.n; i++)
		keep(c, r->kept.v[i]);
	iot_warn_of_sanitizer(r, call);
}

/* Whether a library behind ours may be the first to start threads. */
static bool threads_come_late(const struct request *r)
{
	return r->threads || iot_self.driver == DRIVER_CXX || iot_self.driver == DRIVER_MPI;
}

/* libgfortran refers weakly to what it needs of threads, and takes pthread_create for a sign
   that all of that is there. */
static void want_threads(struct words *to)
{
	static const char *const names[] = {
		"cond_broadcast", "cond_destroy", "cond_init",	"cond_wait",   "getspecific",
		"join",		  "key_create",	  "key_delete", "mutex_destroy", "mutex_init",
		"mutex_lock",	  "mutex_trylock", "mutex_unlock", "once",	 "self",
		"setspecific",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		iot_add(to, iot_text("-Wl,-u,pthread_%s", names[i]));
}

/* Where in the user's order what comes behind the last LIB is; 0: LIB is not there. */
static size_t behind(const struct request *r, const char *lib)
{
	size_t i = r->order.n;

	while (i && strcmp(r->order.v[i - 1], lib) != 0)
		i--;
	return i;
}

/* The libraries that the user names, from there on, once more. */
static void add_from(struct words *to, const struct request *r, size_t i)
{
	for (; i < r->order.n; i++)
		if (iot_begins(r->order.v[i], "-l"))
			iot_add(to, r->order.v[i]);
		else if (iot_ends(r->order.v[i], ".a"))
			iot_add(to, iot_text("-Wl,%s", r->order.v[i]));
}

/* Fortran's runtime, and what the user names behind it, which it needs: ours are what refers to
   the runtime now. */
static void add_gfortran(struct command *c, const struct request *r)
{
	static const char lib[] = "-lgfortran";

	iot_add(&c->after, lib);
	add_from(&c->after, r, behind(r, lib));
}

/* Libraries of which that libc has wrappers, which call them: --wrap leads there, since these are not
   libc's functions.  lld does not know libaio's by their names, which have versions. */
static void add_libraries(struct command *c, const struct request *r, const struct place *p, const struct wraps *w)
{
	bool uring = r->again.n && !w->liburing, aio = r->libaio && !w->libaio && !iot_links_by_lld(r);

	if (r->again.n && !uring)
		iot_not_instrumented("liburing's calls (the program wraps some of them itself)");
	if (!uring && !aio)
		return;
	if (uring)
		iot_add(&c->after, iot_text("-Wl,@%s/liburing.list", p->libdir));
	if (aio)
		iot_add(&c->after, iot_text("-Wl,@%s/libaio.list", p->libdir));
	iot_add(&c->after, "-Wl,--start-group");
	iot_add(&c->after, "-lc");
	if (uring)
		iot_add_all(&c->after, &r->again);
	if (aio)
		iot_add(&c->after, r->libaio);
	iot_add(&c->after, "-Wl,--end-group");
}

/* A libc with the recorder in it, that needs no --wrap: see direct.sh. */
static void add_direct(struct command *c, const struct request *r, const struct place *p, const struct wraps *w)
{
	iot_add(&c->before, iot_text("-L%s/direct%s", p->libdir, p->variant));
	add_libraries(c, r, p, w);
	if (r->fortran == FORTRAN_NO)
		return;
	if (threads_come_late(r)) {
		want_threads(&c->before);
		iot_add(&c->before, "-Wl,-u,pthread_create");
	}
	add_fortran(c, r, p, w);
	if (r->fortran == FORTRAN_LIB)
		add_gfortran(c, r);
}

/*
 * The bindings of other languages call MPI's wrappers, and these call MPI.  A program that
 * wraps some of MPI's functions itself gets wrappers that are called as MPI's functions
 * are, and copies of those by other names.  All of them, so that the bindings find them.
 *
 * MPI's compiler names what its library needs if it sees -static, which may stand in a response
 * file; what the user names behind the library is repeated.
 */
static void add_static_mpi(struct command *c, const struct request *r, const struct mpi *m, const struct place *p,
			   const struct wraps *w)
{
	size_t i, at;

	if (w->mpi) {
		iot_add(&c->before, iot_text("-Wl,--push-state,--whole-archive,%s/libiotrace-mpi-%s-direct.a,--pop-state",
					     p->mpidir, m->name));
		return;
	}
	iot_add(&c->after, iot_text("-Wl,@%s/%s.wrap.list", p->mpidir, m->name));
	iot_add(&c->after, "-Wl,--start-group");
	iot_add(&c->after, iot_text("-Wl,%s", m->archive));
	iot_add_all(&c->after, &m->libs);
	for (i = 0; i < m->libs.n; i++)
		if ((at = behind(r, m->libs.v[i])))
			add_from(&c->after, r, at);
	iot_add(&c->after, "-Wl,--end-group");
}

/* Libraries with wrapped functions, which our archive is now what refers to; they call some of
   their own, and with that our archive. */
static void add_again(struct command *c, const struct request *r, const char *archive)
{
	if (!r->again.n)
		return;
	iot_add(&c->after, "-Wl,--start-group");
	iot_add(&c->after, archive);
	iot_add_all(&c->after, &r->again);
	iot_add(&c->after, "-Wl,--end-group");
}

/*
 * The linker finds a script of ours wherever -lc occurs.  It names our archive and
 * libc.a as a group: libc calls wrappers, wrappers call libc, and libraries that the
 * driver puts after the user's arguments call both.
 *
 * libgcc.a defines a __wrap_pthread_create too (for -fsplit-stack), so ours has to be
 * found before: in the archive behind what the user links or, where a later library
 * may be the first to start threads, by asking for it at the very start.
 */
static void add_wrapped(struct command *c, const struct request *r, const struct place *p)
{
	bool late = threads_come_late(r);
	const char *archive = iot_text("-Wl,%s/libiotrace%s.a", p->libdir, p->variant), *file;

	iot_add(&c->before, iot_text("-L%s/static%s", p->libdir, p->variant));
	if (late && r->fortran != FORTRAN_NO)
		want_threads(&c->before);
	if (late) {
		iot_add(&c->before, "-Wl,-u,__wrap_pthread_create");
		iot_add(&c->before, archive);
	}
	iot_add(&c->after, iot_text("-L%s", p->libdir));
	iot_add(&c->after, iot_text("-Wl,@%s/wrap%s.list", p->libdir, p->variant));
	/* Fortran's statements are wanted behind the program and in front of its runtime */
	if (!late || r->fortran != FORTRAN_NO)
		iot_add(&c->after, archive);
	add_again(c, r, archive);
	if (r->fortran == FORTRAN_LIB)
		add_gfortran(c, r);
	/* since GCC 14 the runtime does create threads: then ours again has to come before libgcc */
	if (!r->threads && r->fortran != FORTRAN_NO) {
		file = iot_ask_1("-print-file-name=libgfortran.a");
		if (r->fortran != FORTRAN_LIB && is_file(file))
			iot_add(&c->after, iot_text("-Wl,%s", file));
		iot_add(&c->after, archive);
	}
}

/* libaio's functions, which have plain names: only who links it has them wrapped.  The library is
   wanted once more, behind ours, which are what refers to it now. */
static void add_libaio(struct command *c, const struct request *r, const struct place *p)
{
	iot_add(&c->after, iot_text("-Wl,@%s/libaio.list", p->libdir));
	iot_add(&c->after, iot_text("-Wl,%s/libiotrace%s.a", p->libdir, p->variant));
	iot_add(&c->after, r->libaio);
}

void iot_instrument(struct command *c, struct request *r, const struct place *p, const struct parts *parts)
{
	struct mpi mpi = { 0 };
	struct wraps wraps;
	bool has_mpi = false, lld;

	if (iot_is_flang())
		iot_not_instrumented("Fortran's statements (they are LLVM flang's, not gfortran's; calls are recorded)");
	if (iot_self.driver == DRIVER_MPI) {
		has_mpi = iot_mpi_of_compiler(&mpi, r, p);
		if (!has_mpi)
			return;
	} else if (r->mpi) {
		has_mpi = iot_mpi_of_library(&mpi, r, p);
	} else if (!r->is_static) {
		const struct words behind = iot_libraries_behind(r);

		has_mpi = iot_mpi_behind(&mpi, r, p, &behind);
	}
	if (iot_fails_without_us(c, r, p, has_mpi)) {
		c->failed = true;
		c->frame = NULL;
		return;
	}
	if (!r->is_static) {
		if (has_mpi && !r->lacks.mpi)
			add_mpi(c, &mpi, r, p);
		add_dynamic(c, r, p);
		return;
	}
	lld = iot_links_by_lld(r);
	if (lld && *p->variant) {
		iot_not_instrumented("lld can't wrap musl (use another linker)");
		return;
	}
	wraps = iot_program_wraps(r, p);
	if (has_mpi) {
		wraps.mpi |= lld; /* whose --wrap loses calls */
		add_static_mpi(c, r, &mpi, p, &wraps);
		r->threads = true;
	}
	if (r->libaio && (lld || wraps.libaio))
		iot_not_instrumented("libaio's calls (%s)", lld ? "lld can't wrap libaio" :
								  "the program wraps some of them itself");
	if (lld || wraps.libc || wraps.fortran || iot_defines_calls(r, p)) {
		add_direct(c, r, p, &wraps);
	} else {
		add_wrapped(c, r, p);
		if (r->libaio && !wraps.libaio)
			add_libaio(c, r, p);
	}
	if (parts->syscalls)
		iot_add(&c->middle, "-Wl,-u,iot_dispatch_start");
	if (parts->faults)
		iot_add(&c->middle, "-Wl,-u,iot_faults_start");
	/* what iotrace.h calls is only referred to weakly, which finds no archive member */
	iot_add(&c->middle, "-Wl,-u,iot_user");
}

struct words iot_command_line(const struct command *c, bool frame, bool sanitized)
{
	struct words all = { 0 };

	iot_add_all(&all, &iot_self.command);
	iot_add_all(&all, &c->before);
	if (frame && c->frame)
		iot_add(&all, c->frame);
	iot_add_all(&all, &c->middle);
	iot_add_all(&all, &c->args);
	for (size_t i = 0; i < c->after.n; i++) {
		const char *word = c->after.v[i];

		iot_add(&all, word == c->sanitized && !sanitized ? c->unsanitized : word);
	}
	return all;
}
