/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arena.c - where the recorder's memory lies: in reservations of its own.
 *
 * The kernel puts new memory where there is room, which is where the program has just unmapped
 * something.  A program that by mistake still stores there would die without us; with us, it would
 * overwrite our memory, or its log.  So the recorder's memory lies where the kernel puts nothing:
 * between the executable and its heap, or far from the program's memory, never in a hole of that,
 * nor below a stack that grows.  At either end of a reservation is a page that nobody can touch.
 * Memory that begins where the executable's data end has none there: the recorder's variables are
 * among those data anyway.
 *
 * A reservation is address space without memory.  A mapping that nobody can touch holds it.  Beside
 * the executable no mapping does: the kernel gives that address space to nobody else, and a fork pays
 * for each mapping.  Memory of a kind lies in one piece, which grows downwards.  To the kernel that
 * is one mapping, and another one that holds what lies below, however much there is.
 */
#include "arena.h"

#include "each-process.h"
#include "sys.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define PAGE	 IOT_PAGE
#define FAR	 (256UL << 30)		/* how far below the program's */
#define ATTEMPTS 4

/* Memory of a kind: a part of the estate, and address space far away.  Of that, all from end on is held, and
   all from low on is in use. */
struct arena {
	uint64_t first;			/* bytes that are reserved first */
	uint64_t near;			/* where its part of the estate lies; 0: nobody has asked yet */
	uint64_t near_used;
	uint64_t low, end;		/* see grow */
	uint64_t held, room;		/* bytes; and what may follow them */
	uint32_t grows;			/* the process whose thread is at it; one more than its number */
};
static struct arena plain = { .first = 512UL << 10 }, wiped = { .first = 64UL << 10 },
		    shared = { .first = 1UL << 20 };
#define NOTHING_NEAR 1UL
#define ROOM	     (64UL << 30)	/* of the memory of a kind, to grow */
static uint64_t below;			/* the next reservation lies below; 0: not known */

/*
 * As long as there is room, the reservations lie side by side in one mapping, the estate.  A fork
 * pays for each mapping, and for each page of page tables, as much as for a page fault.  The estate
 * has few guards, and one page of page tables for all that most processes need.  An estate beside the
 * executable takes the page tables of the program's data.  It is bare: what is not in use is not
 * mapped.  Plain memory is at its bottom, where the kernel makes it one mapping with the executable's
 * data.
 */
#define ESTATE	  (1UL << 20)
#define IN_TABLE  (2UL << 20)		/* what a page of page tables has room for */
#define NO_ESTATE 1UL
#define BARE	  2UL			/* a bit of where it lies */
static uint64_t estate;			/* 0: nobody has asked for it yet */
static uint64_t estate_left = ESTATE - PAGE;	/* bytes at its bottom, with the guard there */

/* Pieces that came back, by the logarithm of their pages. */
#define SIZES 16
static struct iot_pool unused[SIZES];

static long map_at(uintptr_t at, uint64_t size, int prot, int flags, int fd, uint64_t off)
{
	return iot_sys_mmap((void *)at, size, prot, flags, fd, off);
}

static bool in_estate(uintptr_t at, uint64_t kind)
{
	uint64_t is = __atomic_load_n(&estate, __ATOMIC_RELAXED);

	return (is & BARE) == kind && at - (is & -PAGE) < ESTATE;
}

/* Memory in a reservation.  -EEXIST: it is bare, and the program has asked for that very place. */
static long fill(uintptr_t at, uint64_t size, int flags, int fd, uint64_t off)
{
	const int prot = PROT_READ | PROT_WRITE;
	long p;

	if (!in_estate(at, BARE))
		return map_at(at, size, prot, flags | MAP_FIXED, fd, off);
	p = map_at(at, size, prot, flags | MAP_FIXED_NOREPLACE, fd, off);
	if (p == (long)at || IOT_FAILED(p))
		return p;
	iot_sys_munmap((void *)p, size);	/* a kernel that takes it for a hint */
	return -EEXIST;
}

/* An address as far below the one where the kernel would put a page now as keeps us out of its way. */
static uint64_t far_place(void)
{
	uint64_t at = __atomic_load_n(&below, __ATOMIC_RELAXED);
	long p;

	if (at)
		return at;
	p = map_at(0, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (IOT_FAILED(p))
		return 0;
	iot_sys_munmap((void *)p, PAGE);
	if ((uint64_t)p <= 2 * FAR)
		return 0;
	p = (p - (long)FAR) & -(long)IN_TABLE;
	if (__atomic_compare_exchange_n(&below, &at, (uint64_t)p, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		at = (uint64_t)p;
	return at;
}

#define HELD (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

/* Holds that very piece of address space.  Returns 0 or -errno. */
static long hold_at(uint64_t at, uint64_t size)
{
	long p = map_at(at, size, PROT_NONE, HELD | MAP_FIXED_NOREPLACE, -1, 0);

	if (p == (long)at || IOT_FAILED(p))
		return IOT_FAILED(p) ? p : 0;
	iot_sys_munmap((void *)p, size);	/* a kernel that takes it for a hint */
	return -EEXIST;
}

/* Reserves address space of that size, far from the program's; 0: there is none.  Nothing of ours comes to the
   *room bytes below it.  *room becomes 0 if the reservation is not far from the program's memory. */
static uintptr_t reserve_far(uint64_t whole, uint64_t *room)
{
	const uint64_t apart = *room;
	uint64_t at = far_place();
	long p;

	for (int i = 0; i < ATTEMPTS && at > FAR + whole + apart; i++) {
		at = __atomic_sub_fetch(&below, whole + apart, __ATOMIC_RELAXED) + apart;
		p = hold_at(at, whole);
		if (p != -EEXIST)
			return p ? 0 : at;
		at = __atomic_sub_fetch(&below, FAR, __ATOMIC_RELAXED);
	}
	*room = 0;
	p = map_at(0, whole, PROT_NONE, HELD, -1, 0);
	return IOT_FAILED(p) ? 0 : (uintptr_t)p;
}

/* The largest reservation: a small part of what address space the program may have. */
static uint64_t largest(void)
{
	struct rlimit rl = { .rlim_cur = RLIM_INFINITY };

	iot_syscall(SYS_prlimit64, 0L, (long)RLIMIT_AS, (void *)NULL, &rl);
	if (rl.rlim_cur == RLIM_INFINITY)
		return RLIM_INFINITY;
	return rl.rlim_cur < 64 * PAGE ? PAGE : 1UL << (63 - __builtin_clzll(rl.rlim_cur / 64));
}

/* Reserves a bare estate behind the executable's data.  The heap begins some way above these, and nothing
   else ever comes there.  0: there is no room, or we are a library. */
static uintptr_t reserve_beside(uint64_t whole)
{
	extern __attribute__((visibility("hidden"))) const char _end[];
	const uintptr_t at = ((uintptr_t)_end + PAGE - 1) & -PAGE;
	const uint64_t heap = (uint64_t)iot_syscall(SYS_brk, 0L);

	if (IOT_FAILED(heap) || heap < at + whole + PAGE || hold_at(at, whole))
		return 0;
	iot_sys_munmap((void *)at, whole);
	return at | BARE;
}

static uint32_t log2_pages(uint64_t size)
{
	uint64_t pages = (size + PAGE - 1) / PAGE;

	return pages > 1 ? 64 - (uint32_t)__builtin_clzll(pages - 1) : 0;
}

/* A piece of the estate, which is taken from its top downwards; 0: there is no room. */
static uintptr_t take_estate(uint64_t size)
{
	const uint64_t is = __atomic_load_n(&estate, __ATOMIC_RELAXED), bottom = is & BARE ? plain.first : 0;
	uint64_t left = __atomic_load_n(&estate_left, __ATOMIC_RELAXED);

	do {
		if (left < size + PAGE + bottom)
			return 0;
	} while (!__atomic_compare_exchange_n(&estate_left, &left, left - size, false, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	return (is & -PAGE) + left - size;
}

/* The first thread that comes reserves the estate, unless the program has little address space.  Plain memory
   is taken first. */
static bool has_estate(void)
{
	uint64_t is = __atomic_load_n(&estate, __ATOMIC_ACQUIRE), mine = NO_ESTATE, none = 0, room = 0;

	if (is)
		return is != NO_ESTATE;
	if (largest() == RLIM_INFINITY) {
		mine = reserve_beside(ESTATE);
		if (!mine)
			mine = reserve_far(ESTATE, &room);
	}
	if (!mine)
		mine = NO_ESTATE;
	if (!__atomic_compare_exchange_n(&estate, &is, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		if (mine != NO_ESTATE && !(mine & BARE))
			iot_sys_munmap((void *)mine, ESTATE);
		return is != NO_ESTATE;
	}
	if (mine == NO_ESTATE)
		return false;
	mine = mine & BARE ? mine & -PAGE : take_estate(plain.first);
	__atomic_compare_exchange_n(&plain.near, &none, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	return true;
}

/* Whether there is address space to spare. */
bool iot_map_is_ample(void)
{
	return has_estate();
}

/* Holds size bytes more: below what is held already, if there is room.  Nobody can touch the page below
   them. */
static bool hold(struct arena *a, uint64_t size)
{
	const uint64_t end = a->end;
	uint64_t room = ROOM, at;

	if (a->room >= size && !hold_at(end - PAGE - size, size)) {
		a->room -= size;
		__atomic_store_n(&a->end, end - size, __ATOMIC_RELEASE);
	} else {
		at = reserve_far(size + 2 * PAGE, &room);
		if (!at)
			return false;
		a->room = room;
		/* low comes first: a thread that has seen only one of the two takes nothing */
		__atomic_store_n(&a->low, at + PAGE + size, __ATOMIC_SEQ_CST);
		__atomic_store_n(&a->end, at + PAGE, __ATOMIC_SEQ_CST);
	}
	a->held += size;
	return true;
}

static bool has_room(const struct arena *a, uint64_t *low, uint64_t size)
{
	uint64_t end;

	*low = __atomic_load_n(&a->low, __ATOMIC_SEQ_CST);
	end = __atomic_load_n(&a->end, __ATOMIC_SEQ_CST);
	return *low > end && *low - end >= size;
}

/* Holds as much again as is held, if the program can spare that. */
static bool double_it(struct arena *a, uint64_t size)
{
	const uint64_t most = largest();
	uint64_t more = a->held ? a->held : a->first;

	if (more > most)
		more = most;
	if (more < size)
		more = size;
	return hold(a, more) || (more > size && hold(a, size));
}

/* Makes room for size bytes more.  One thread at a time does that.  The others wait, but not for ever, since
   that thread may be stopped.  Signals are blocked: a handler would wait for its own thread.  A forked child
   does not wait for a thread of its parent's. */
static bool grow(struct arena *a, uint64_t size)
{
	const uint32_t mine = iot_each.pid + 1;
	const uint64_t mask = iot_sys_block_signals();
	uint32_t is = 0;
	bool done = false;
	uint64_t low;

	for (int i = 0; i < 1000; i++) {
		if (__atomic_compare_exchange_n(&a->grows, &is, mine, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
			done = has_room(a, &low, size) || double_it(a, size);
			__atomic_store_n(&a->grows, 0, __ATOMIC_RELEASE);
			break;
		}
		if (is == mine) {
			iot_sys_wait(i);
			is = 0;
		}
	}
	iot_sys_restore_signals(mask);
	return done;
}

/* Takes address space far away; 0: there is none. */
static uintptr_t take_far(struct arena *a, uint64_t size)
{
	uint64_t low, none = 0;
	uintptr_t at;

	do {
		while (has_room(a, &low, size))
			if (__atomic_compare_exchange_n(&a->low, &low, low - size, false, __ATOMIC_SEQ_CST,
							__ATOMIC_RELAXED))
				return low - size;
	} while (grow(a, size));
	at = reserve_far(size + 2 * PAGE, &none);
	return at ? at + PAGE : 0;
}

/* Takes address space that nobody can touch.  Beside it is only what is the recorder's.  0: there is none. */
static uintptr_t reserve(uint64_t size)
{
	uintptr_t at = has_estate() ? take_estate(size) : 0;

	return at ? at : take_far(&shared, size);
}

/* Gives address space back.  It stays held, since it lies beside what the recorder uses.  If it is the lowest,
   the next that is taken is the same. */
static void give_up(uintptr_t at, uint64_t size)
{
	uint64_t low = at;

	if (in_estate(at, BARE)) {
		iot_sys_munmap((void *)at, size);
		return;
	}
	map_at(at, size, PROT_NONE, HELD | MAP_FIXED, -1, 0);
	__atomic_compare_exchange_n(&shared.low, &low, at + size, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* Where the arena's part of the estate lies; 0: it has none. */
static uintptr_t near_part(struct arena *a)
{
	uint64_t is = __atomic_load_n(&a->near, __ATOMIC_ACQUIRE), mine;

	if (!is) {
		mine = has_estate() ? take_estate(a->first) : 0;
		if (!mine)
			mine = NOTHING_NEAR;
		if (__atomic_compare_exchange_n(&a->near, &is, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			is = mine;
	}
	return is == NOTHING_NEAR ? 0 : is;
}

/* Zeroed memory, whose size is a power of two; 0: there is none. */
static uintptr_t take(struct arena *a, uint64_t size)
{
	uintptr_t near = near_part(a), at;
	long p;

	if (near && size <= a->first && __atomic_load_n(&a->near_used, __ATOMIC_RELAXED) <= a->first - size) {
		at = __atomic_fetch_add(&a->near_used, size, __ATOMIC_RELAXED);
		p = at <= a->first - size ? fill(near + at, size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : -EEXIST;
		if (p != -EEXIST)
			return IOT_FAILED(p) ? 0 : (uintptr_t)p;
		/* what is left of it is too small, or the program's */
		__atomic_store_n(&a->near_used, a->first, __ATOMIC_RELAXED);
	}
	at = take_far(a, size);
	p = at ? fill(at, size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : -ENOMEM;
	return IOT_FAILED(p) ? 0 : (uintptr_t)p;
}

/* Zeroed memory, or NULL. */
void *iot_map(size_t size)
{
	uint32_t n = log2_pages(size);
	uint64_t *piece = n < SIZES ? iot_pool_pop(&unused[n]) : NULL;

	if (!piece)
		return (void *)take(&plain, PAGE << n);
	*piece = 0;
	return piece;
}

/* Zeroed memory that the pointer at `where' leads to, the same for all threads.  The first one that asks maps
   it.  NULL: there was none to be had. */
IOT_EACH void *iot_map_once(void *where, size_t size)
{
	void **at = where, *is = __atomic_load_n(at, __ATOMIC_ACQUIRE), *fresh;

	if (iot_likely(is != NULL))
		return is;
	fresh = iot_map(size);
	if (!fresh || __atomic_compare_exchange_n(at, &is, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return fresh;
	iot_unmap(fresh, size);
	return is;
}

/* Gives back what iot_map returned for that size. */
void iot_unmap(void *p, size_t size)
{
	uint32_t n = log2_pages(size);

	if (iot_syscall(SYS_madvise, p, PAGE << n, (long)MADV_DONTNEED) < 0)
		memset(p, 0, PAGE << n);
	if (n < SIZES)
		iot_pool_put(&unused[n], p);
}

/* Zeroed memory that a forked child finds zeroed again; never given back. */
void *iot_map_wiped(size_t size)
{
	uint64_t room = PAGE << log2_pages(size);
	uintptr_t at = take(&wiped, room);

	if (!at)
		return NULL;
	/* refused: a child would take itself for its parent */
	if (iot_syscall(SYS_madvise, at, room, (long)MADV_WIPEONFORK) == -EPERM)
		return NULL;
	return (void *)at;
}

/* Memory that forked children share, in a reservation of its own: a piece of the file fd, or of none (-1). */
void *iot_map_shared(size_t size, int fd, uint64_t off, long *error)
{
	const int flags = MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS | MAP_NORESERVE : 0);
	uintptr_t at;
	long p;

	size = (size + PAGE - 1) & -PAGE;
	/* each time elsewhere */
	do {
		at = reserve(size);
		p = at ? fill(at, size, flags, fd, off) : -ENOMEM;
	} while (p == -EEXIST);
	if (!IOT_FAILED(p))
		return (void *)p;
	if (at)
		give_up(at, size);
	*error = p;
	return NULL;
}

/* The same, where a forked child finds the pages that its parent has in place.  Else the child would have
   each page by a fault, since fork does not copy the page tables of shared memory.  Fork does copy them
   (Linux 6.15) where a guard was ever asked for: so there is one at the end.  Valgrind does not know of
   guards, and reads all memory to look for leaks. */
void *iot_map_inherited(size_t size, int fd, uint64_t off, long *error)
{
	char *p = iot_map_shared(size + PAGE, fd, off, error);
	uintptr_t end = (uintptr_t)p + ((size + PAGE - 1) & -PAGE);

	if (p && !iot_is_valgrind())
		iot_syscall(SYS_madvise, end, PAGE, (long)MADV_GUARD_INSTALL);
	return p;
}

/* Processes that are forked from now on do not have this memory, which iot_map_shared returned for that
   size.  Returns 0 or -errno. */
long iot_map_unforked(void *p, size_t size)
{
	return iot_syscall(SYS_madvise, p, (size + PAGE - 1) & -PAGE, (long)MADV_DONTFORK);
}

void iot_unmap_shared(void *p, size_t size)
{
	if (p)
		give_up((uintptr_t)p, (size + PAGE - 1) & -PAGE);
}

void iot_unmap_inherited(void *p, size_t size)
{
	iot_unmap_shared(p, size + PAGE);
}

/* A piece with anything in it, or NULL. */
void *iot_pool_get(struct iot_pool *p)
{
	uint32_t n = (uint32_t)IOT_PAGE / p->size;
	uint8_t *fresh = iot_pool_pop(p);

	if (fresh)
		return fresh;
	fresh = iot_map(IOT_PAGE);
	if (!fresh)
		return NULL;
	for (uint32_t i = 1; i + 1 < n; i++)
		*(uint64_t *)(fresh + i * p->size) = (uintptr_t)(fresh + (i + 1) * p->size);
	if (n > 1)
		iot_pool_put_row(p, fresh + p->size, fresh + (n - 1) * p->size);
	return fresh;
}

typedef void *__attribute__((may_alias)) any_pointer;

/* A handler may come in between, and put a piece into the slot first. */
bool iot_pool_own(struct iot_pool *p, void *slot)
{
	any_pointer *mine = slot;
	void *fresh = *mine ? NULL : iot_pool_get(p);

	if (fresh && *mine)
		iot_pool_put(p, fresh);
	else if (fresh)
		*mine = fresh;
	return *mine;
}

void iot_pool_disown(struct iot_pool *p, void *slot)
{
	any_pointer *mine = slot;
	void *was = *mine;

	*mine = NULL;
	if (was)
		iot_pool_put(p, was);
}
