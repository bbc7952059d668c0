/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iocc.h - what the parts of the compiler wrappers share.
 *
 * One program is all of them: by what name it is run tells which (identity.c).  It
 * looks at the arguments to learn what the compiler is asked to do (args.c), adds to
 * them (link.c), and becomes the compiler or runs it (run.c, frame.c).  Memory is
 * never given back: the program lives for a command.
 */
#ifndef IOCC_H
#define IOCC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ---- text.c: words, text and messages ---- */

struct words {
	char **v; /* ends with NULL */
	size_t n, room;
};

void iot_add(struct words *to, const char *word);
void iot_add_all(struct words *to, const struct words *from);
char *iot_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The words between separators. */
struct words iot_split(const char *text, const char *separators);
const char *iot_base(const char *path);
char *iot_dir(const char *path); /* "." if it names none */
/* Where it is when all links are followed, NULL if it is nowhere. */
char *iot_real(const char *path);
bool iot_begins(const char *text, const char *with);
bool iot_ends(const char *text, const char *with);
bool iot_has(const struct words *words, const char *word);
bool iot_has_beginning(const struct words *words, const char *with);
bool iot_file(const char *path); /* a regular one */
/* All of a descriptor or a file, with a 0 behind it; NULL if it can't be read. */
char *iot_read_all(int fd, size_t *size);
char *iot_read_file(const char *path, size_t *size);

/* One line on stderr, behind the name under which we were run. */
void iot_die(int status, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));
/* The one place that says why an executable is linked plainly. */
void iot_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void iot_not_instrumented(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- identity.c: who we are and which compiler is to run ---- */

enum driver { DRIVER_CC, DRIVER_CXX, DRIVER_FORTRAN, DRIVER_MPI };

struct identity {
	const char *name; /* for messages */
	bool masked;	  /* called by the name of the compiler that comes next in PATH */
	enum driver driver;
	bool fortran;
	const char *variable; /* that names the compiler, NULL: the name does */
	const char *asked;    /* the compiler, as somebody named it */
	bool several;	      /* which is several words */
	struct words command; /* the same, a word each */
	char *path;	      /* what is to be executed */
	bool again;	      /* what we run has come back to us: nothing more is added */
};
extern struct identity iot_self;

void iot_identify(const char *argv0);
bool iot_is_clang(void);
bool iot_is_flang(void); /* of LLVM, whose runtime is not gfortran's */
/* The file that a shell would run: name if it has a / or there is none. */
char *iot_in_path(const char *name);
/* The compiler that ccache runs if path is a link to it, else path. */
char *iot_behind_ccache(const char *path);

/* ---- args.c: what the arguments ask for ---- */

enum mode { MODE_EXE, MODE_COMPILE, MODE_OTHER }; /* -c and -S do not link; other: no code */
enum fortran { FORTRAN_NO, FORTRAN_YES, FORTRAN_STATIC, FORTRAN_LIB };

struct request {
	enum mode mode;
	enum fortran fortran; /* its runtime may be called, and how it is linked */
	const char *ld;	      /* the linker, "default" if none is named */
	struct words inputs;  /* of the driver's */
	struct words linked;  /* of the linker's, besides */
	struct words libs;    /* NAME of -lNAME */
	struct words order;   /* all of these, libraries as -lNAME */
	struct words wraps;   /* NAME of --wrap=NAME */
	struct words symbols; /* NAME=VALUE of --defsym */
	struct words mentions;	/* arguments in which __wrap_ occurs */
	struct words includes;	/* directories of headers */
	struct words forced;	/* of -include */
	struct words lib_dirs;	/* and of libraries */
	const char *mpi;	/* MPI's library, as it was given */
	const char *libaio;	/* and libaio */
	struct words again;	/* libraries whose functions are wrapped, and wanted behind ours */
	struct words sanitizers;	/* of -fsanitize= */
	struct words static_sanitizers; /* -static-libasan and such */
	bool shared_sanitizer;		/* -shared-libasan */
	size_t files, sources, headers; /* inputs; of these: compiled; precompiled */
	bool inform;  /* the compiler only prints something about itself */
	bool probe;   /* a build system is trying the compiler out */
	bool is_static, bstatic; /* -static; the linker is told to look for static libraries at last */
	bool plain;   /* a kind of link that is never instrumented */
	bool bare, libc; /* the driver does not add libc; but -lc was given */
	bool threads; /* libraries that start threads, or libgcc, may come late */
	bool split_stack;
	bool lto, omits; /* the last word about frame pointers: -fomit-frame-pointer */
	bool other_libc; /* an option that may choose another libc than the compiler's usual one */
	bool from_stdin;
	/* libraries whose functions the program mentions, and links without (libraries.c) */
	struct {
		bool libaio, liburing, fortran, mpi;
	} lacks;
	struct words kept; /* and those that it has, where a linker would not see that by itself */
};

void iot_read_arguments(struct request *r, char *const *arguments, size_t n);

/* ---- response.c: files of options ---- */

/* As GCC, Clang and ld split them; false if it can't be read. */
bool iot_split_response(struct words *to, const char *path);

/* ---- place.c: where our libraries are, and which libc a command links ---- */

struct place {
	const char *libdir, *mpidir;
	const char *variant; /* "" or "-musl" */
};
/* False, and said why, if the link can't be instrumented. */
bool iot_find_place(struct place *p, const struct request *r, const struct words *args);

/* ---- link.c: what is added to a link ---- */

struct command {
	struct words before, middle, args, after;
	const char *frame; /* the option that keeps frame pointers, or NULL: before middle */
	/* in after, if a sanitizer is to be called: and what stands for it if that fails */
	const char *sanitized, *unsanitized;
	bool failed; /* without us, when that was tried; it is to fail again */
};
/* Parts of the recorder that only those static executables have that ask for them. */
struct parts {
	bool syscalls, faults;
};
void iot_instrument(struct command *c, struct request *r, const struct place *p, const struct parts *parts);
/* The whole of it; frame: with that option; sanitized: with that. */
struct words iot_command_line(const struct command *c, bool frame, bool sanitized);

/* ---- parts.c: our files that a link adds ---- */

/* Whether there is one of this name, where all is installed; and whether it is as it was built.  Says so if
   it isn't. */
bool iot_is_part(const char *name);
bool iot_part_is_whole(const char *name, const struct place *p);
/* Whether all are that the command adds. */
bool iot_added_is_whole(const struct command *c, const struct place *p);

/* ---- wrap.c: wrappers that the program has itself ---- */

/* Of which functions; only of those that have wrappers of ours. */
struct wraps {
	bool libc, fortran, mpi, libaio, liburing;
};
struct wraps iot_program_wraps(const struct request *r, const struct place *p);
/* Where the linker looks for libraries, as far as they may be the program's. */
struct words iot_library_dirs(const struct request *r);

/* ---- own.c: functions and data of the program's own that have a call's name ---- */

/* Whether there may be any. */
bool iot_defines_calls(const struct request *r, const struct place *p);

/* ---- mpi.c: MPI's library, and the wrappers for it ---- */

struct mpi {
	const char *name; /* openmpi, mpich */
	const char *archive;
	struct words libs; /* -l..., as MPI's compiler wrapper links them */
	bool behind;	   /* only libraries of the program's call it */
};
/* For iompicc and its like; false, and said why, if there are none. */
bool iot_mpi_of_compiler(struct mpi *m, const struct request *r, const struct place *p);
const struct words *iot_shown_by_mpi(void);
/* For a program that others link with MPI's library; says why if there are none. */
bool iot_mpi_of_library(struct mpi *m, const struct request *r, const struct place *p);
/* For a program with these libraries behind those that it links, which may be MPI's. */
bool iot_mpi_behind(struct mpi *m, const struct request *r, const struct place *p,
		    const struct words *behind);
/* How the names of its library's files begin */
const char *iot_mpi_soname(const struct mpi *m);
/* LLVM's, whose --wrap loses calls (see direct.sh). */
bool iot_links_by_lld(const struct request *r);
bool iot_links_by_mold(const struct request *r);

/* ---- libraries.c: libraries, some of whose functions ours define ---- */

/* Whether the link fails without us; r: what the program lacks.  mpi: functions of MPI will be
   ours. */
bool iot_fails_without_us(const struct command *c, struct request *r, const struct place *p, bool mpi);

/* ---- needs.c: what a link would be without us (needs.h) ---- */

/* The directory of such a link. */
const char *iot_tmpdir(void);
/* Whether MPI's library is needed. */
bool iot_needs_mpi(const struct command *c, const struct request *r, const struct mpi *m);
/* The names of the libraries that the shared ones need that are linked, and those that these need. */
struct words iot_libraries_behind(const struct request *r);

/* ---- sanitizer.c: sanitizers that are a part of the executable ---- */

/* Whether there is one that our functions are to call, in place of libc. */
bool iot_calls_sanitizer(const struct request *r);
/* Says what is not recorded; called: of those that are not called. */
void iot_warn_of_sanitizer(const struct request *r, bool called);

/* ---- run.c: the compiler as a process ---- */

/* Become the compiler. */
void iot_become(const struct words *args) __attribute__((noreturn));
/* What it prints when it is given these arguments and this input. */
char *iot_ask(const struct words *args, const char *input, bool with_stderr);
char *iot_ask_program(const char *program, const struct words *argv, const char *input,
		      bool with_stderr);
char *iot_ask_1(const char *argument);
/* The command, quoted for a shell. */
void iot_show(const struct words *args);

/* ---- held.c: the compiler as a child whose output is kept ---- */

struct held {
	char *text;
	size_t n;
	int to, from; /* our descriptor; where the child's text can be read */
};
/* wait(2)'s status, or -1 if the child could not be started.  What it said is
   in held; nothing if it has been killed: then it is written already. */
int iot_run_held(const struct words *args, struct held held[2]);
void iot_write_held(const struct held held[2]);

/* ---- sources.c: what sources and their headers say ---- */

struct scan {
	bool (*look)(void *arg, const char *text, size_t n); /* true: enough has been seen */
	void *arg;
	bool unknown; /* there was something that could not be read */
};
/* Has look called with the text of each input that is a text, and of what these include;
   whether it said true.  The command has one request, whose files are read at the first call. */
bool iot_scan(struct scan *s, const struct request *r);
bool iot_is_binary(const char *path); /* an object or an archive */
bool iot_is_repeatable(const struct request *r); /* all that is read can be read again */
/* Has standard input read again from where it is now; false if that can't be. */
bool iot_keep_input(off_t *at);

/* ---- frame.c: sources that need the frame pointer's register ---- */

bool iot_uses_frame_register(const struct request *r);
void iot_compile(const struct command *c, const struct request *r) __attribute__((noreturn));

/* ---- help.c: our own options, explained ---- */

void iot_print_help(void);
/* Whether somebody asks for --help who may know that this is no compiler. */
bool iot_is_help(const struct words *args);
/* Has the compiler print its own, and adds ours. */
void iot_help(const struct words *args) __attribute__((noreturn));

#endif
