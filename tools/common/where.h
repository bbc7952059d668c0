/* SPDX-License-Identifier: BSD-3-Clause */
/* where.h - where our libraries are: for the compiler wrappers and iotrace-run. */
#ifndef WHERE_H
#define WHERE_H

/* The file of this program; to be freed.  NULL if that can't be told. */
char *iot_own_path(void);

struct where {
	const char *lib; /* the directory of libiotrace-dynamic.a and its like */
	const char *mpi; /* and of those for MPI */
};

/* False if memory is short.  What is in w stays until the program ends. */
_Bool iot_find_libraries(struct where *w);

#endif
