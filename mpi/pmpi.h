/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pmpi.h - the calls of MPI that we make ourselves: iot_pmpi_X is PMPI_X, past our
 * own wrapper if it has one.
 */
#ifndef IOT_PMPI_H
#define IOT_PMPI_H

/* those that have wrappers */
#define IOT_PMPI_WRAPPED(X)                                                                \
	X(File_get_byte_offset) X(File_get_position) X(File_open) X(File_close)            \
	X(File_sync) X(File_write_at) X(File_write_at_all) X(Test)                         \
	X(Allgather) X(Allreduce) X(Bcast) X(Comm_free) X(Comm_idup) X(Exscan) X(Gather)   \
	X(Iallreduce) X(Recv) X(Send)
/* the rest: pmpi-stubs.c finds them in dynamic processes */
#define IOT_PMPI_PLAIN(X)                                                                  \
	X(Cart_shift) X(Cartdim_get) X(Comm_group) X(Comm_rank) X(Comm_remote_group)       \
	X(Comm_remote_size) X(Comm_set_errhandler) X(Comm_size) X(Comm_test_inter)         \
	X(Dist_graph_neighbors_count) X(Error_class) X(Finalized) X(Get_elements_x)        \
	X(Graph_neighbors_count) X(Group_free) X(Group_size) X(Group_translate_ranks)      \
	X(Initialized) X(Info_get) X(Info_get_nkeys) X(Info_get_nthkey) X(Topo_test)       \
	X(Type_free) X(Type_get_contents) X(Type_get_envelope) X(Type_get_name)            \
	X(Type_size_x)

/* those that came with MPI 4 */
#define IOT_PMPI_LARGE(X) X(Type_get_contents_c) X(Type_get_envelope_c)

#ifdef MPI_VERSION
#pragma GCC visibility push(hidden)
#define IOT_REAL(name) extern __typeof__(PMPI_##name) iot_pmpi_##name __asm__("__real_PMPI_" #name);
#define IOT_PLAIN(name) extern __typeof__(PMPI_##name) iot_pmpi_##name __asm__("PMPI_" #name);
IOT_PMPI_WRAPPED(IOT_REAL)
#ifdef IOT_DYNAMIC
#define IOT_OTHER IOT_REAL
#else
#define IOT_OTHER IOT_PLAIN
#endif
IOT_PMPI_PLAIN(IOT_OTHER)
#if MPI_VERSION >= 4
IOT_PMPI_LARGE(IOT_OTHER)
#endif
#pragma GCC visibility pop
#endif

#endif
