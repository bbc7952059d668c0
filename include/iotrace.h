/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iotrace.h - what a program may tell iotrace, see iotrace.h(3).
 *
 * Nothing has to be linked: in a program that is not recorded these functions
 * do nothing.  All of them may be called by any thread and by signal handlers,
 * keep errno, and copy what they are given.
 */
#ifndef IOTRACE_H
#define IOTRACE_H

/* What the recorder is told; it ignores what it does not know. */
enum { IOTRACE_BEGIN_ = 1, IOTRACE_END_, IOTRACE_MARK_, IOTRACE_PAUSE_, IOTRACE_RESUME_ };

#ifndef IOTRACE_RECORDER_

/* noplt has a dynamic executable ask for the address when it is started, even one
   that is not position independent. */
#ifdef __has_attribute
#if __has_attribute(noplt)
#define IOTRACE_LINKAGE_ __attribute__((weak, noplt))
#endif
#endif
#ifndef IOTRACE_LINKAGE_
#define IOTRACE_LINKAGE_ __attribute__((weak))
#endif

/* A stack is to begin with who calls them. */
#define IOTRACE_INLINE_ static inline __attribute__((always_inline))

#ifdef __cplusplus
extern "C" {
#endif

/* The recorder's, if there is one. */
extern void iot_user(int what, const char *text) IOTRACE_LINKAGE_;

IOTRACE_INLINE_ void iotrace_tell_(int what, const char *text)
{
	if (iot_user)
		iot_user(what, text);
}

/* A region of the calling thread begins: its calls are shown beneath it. */
IOTRACE_INLINE_ void iotrace_begin(const char *name)
{
	iotrace_tell_(IOTRACE_BEGIN_, name);
}

/* The innermost open region of this name ends, and with it those inside; NULL: the
   innermost of all.  Nothing happens if there is none. */
IOTRACE_INLINE_ void iotrace_end(const char *name)
{
	iotrace_tell_(IOTRACE_END_, name);
}

/* A line of text among the calls. */
IOTRACE_INLINE_ void iotrace_mark(const char *text)
{
	iotrace_tell_(IOTRACE_MARK_, text);
}

/* No calls of the process are recorded until as many calls of iotrace_resume. */
IOTRACE_INLINE_ void iotrace_pause(void)
{
	iotrace_tell_(IOTRACE_PAUSE_, 0);
}

IOTRACE_INLINE_ void iotrace_resume(void)
{
	iotrace_tell_(IOTRACE_RESUME_, 0);
}

#ifdef __cplusplus
}

namespace iotrace {

/* A region for as long as a block runs.  name has to live as long. */
class region {
public:
	explicit region(const char *name) : name_(name)
	{
		iotrace_begin(name_);
	}
	~region()
	{
		iotrace_end(name_);
	}

private:
	region(const region &);
	region &operator=(const region &);
	const char *name_;
};

}
#endif

#endif /* IOTRACE_RECORDER_ */
#endif
