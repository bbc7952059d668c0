/* SPDX-License-Identifier: BSD-3-Clause */
/* call.c - what every wrapper of an MPI-IO call does before and after. */

#include "iompi.h"

/* Whether the thread is in one of these calls of MPI. */
static bool is_inside(uint32_t first, uint32_t last, const void *frame)
{
	const struct iot_thread *t = iot_self;
	uint32_t n = t && t->state == IOT_IDLE ? t->depth : 0;

	for (uint32_t i = 0; i < n && i < IOT_MAX_SLOTS; i++) {
		const struct iot_slot *s = &iot_slots(t)[i];
		uint32_t id = s->call & ~IOT_SLOT_INTERNAL;

		if (s->start && id >= first && id <= last &&
		    s->frame > (uintptr_t)frame)
			return true;
	}
	return false;
}

/* The program's MPI_X came here, and a tool between it and MPI goes on to PMPI_X. */
bool iot_mpi_again(const struct iot_desc *desc, const void *frame)
{
	return is_inside(desc->id, desc->id, frame);
}

/* MPI itself does it. */
bool iot_mpi_inside(const void *frame)
{
	return is_inside(IOT_MPI_FIRST, IOT_MPI_LAST, frame);
}

void iot_mpi_clear(struct iot_mpi *m)
{
	__builtin_memset(m, 0, offsetof(struct iot_mpi, type_text));
	m->offset = IOT_UNKNOWN;
	m->peer = m->tag = IOT_MPI_NONE;
}

bool iot_mpi_begin(struct iot_call *c, struct iot_mpi *m, const struct iot_desc *desc, void *frame)
{
	c->t = NULL;
	/* within a call that calls nobody but MPI, or a tool, this is how they do it */
	if (!iot_mpi_ours() || is_inside(IOT_MPI_FIRST_INNER, IOT_MPI_LAST, frame) ||
	    iot_mpi_again(desc, frame) || !iot_enter(c, desc, 0, -1, frame))
		return false;
	iot_mpi_clear(m);
	return true;
}

/* The same of a row of comm.def.  What MPI does within any of its own calls is not
   recorded. */
bool iot_mpi_talks(struct iot_call *c, struct iot_mpi *m, const struct iot_desc *desc, void *frame)
{
	c->t = NULL;
	if (!iot_mpi_waits() || !iot_mpi_ours() || iot_mpi_inside(frame) || !iot_enter(c, desc, 0, -1, frame))
		return false;
	iot_mpi_clear(m);
	return true;
}

/* The call turns out to be about that file. */
void iot_mpi_on(struct iot_call *c, uint32_t handle, bool silent)
{
	c->handle = handle;
	c->silent |= silent;
	if (c->depth < IOT_MAX_SLOTS) {
		iot_slots(c->t)[c->depth].handle = c->handle;
		iot_slots(c->t)[c->depth].stack = c->stack;
	}
}

/* Whether it may be asked: before MPI_Init and after MPI_Finalize questions end the program. */
bool iot_mpi_is_there(void)
{
	int begun = 0, over = 0;

	return iot_pmpi_Initialized(&begun) == MPI_SUCCESS && begun && iot_pmpi_Finalized(&over) == MPI_SUCCESS && !over;
}

bool iot_mpi_enter(struct iot_call *c, struct iot_mpi *m, const struct iot_desc *desc, MPI_File fh,
		   void *frame)
{
	struct iot_mpi_file *f = iot_mpi_file_find(fh);

	c->t = NULL;
	/* MPICH's MPI_Finalize does something to no file in particular */
	if (!f && is_inside(IOT_MPI_FIRST, IOT_MPI_LAST, frame))
		return false;
	if (!iot_mpi_begin(c, m, desc, frame))
		return false;
	if (!f) {
		m->nowhere = !iot_mpi_is_there();
		return true;
	}
	m->file = f;
	m->comm_size = f->comm_size;
	m->comm_rank = f->comm_rank;
	m->amode = f->amode;
	m->view = f->view;
	if (f->flags & IOT_FD_NOSTACK)
		c->stack = 0;
	iot_mpi_on(c, f->handle, f->flags & IOT_FD_UNTRACED);
	return true;
}

/* Where offset etypes into the view are. */
void iot_mpi_at(struct iot_mpi *m, MPI_File fh, MPI_Offset offset)
{
	MPI_Offset bytes;

	if (m->file && !(m->amode & MPI_MODE_SEQUENTIAL) && offset >= 0 &&
	    iot_pmpi_File_get_byte_offset(fh, offset, &bytes) == MPI_SUCCESS)
		m->offset = (uint64_t)bytes;
}

void iot_mpi_at_pointer(struct iot_mpi *m, MPI_File fh)
{
	MPI_Offset at;

	if (m->file && !(m->amode & MPI_MODE_SEQUENTIAL) &&
	    iot_pmpi_File_get_position(fh, &at) == MPI_SUCCESS)
		iot_mpi_at(m, fh, at);
}

/* The call has come back. */
void iot_mpi_back(struct iot_mpi *m, int ret)
{
	int class = MPI_ERR_UNKNOWN;

	m->err = errno;
	m->valid = !m->nowhere;
	if (ret == MPI_SUCCESS)
		return;
	/* Open MPI calls the program's error handler for a number of its own */
	if (ret > 0)
		iot_pmpi_Error_class(ret, &class);
	m->error = iot_mpi_error(class);
	m->valid = iot_mpi_error_of_io(class);
	m->result = -1;
}

/* Text of the program's, which a call that failed need not have read. */
const char *iot_mpi_given(const struct iot_mpi *m, const char *text)
{
	uintptr_t known = 0;

	return !m->error || iot_is_text(text, &known) ? text : NULL;
}

/* Whether a type is one of MPI's own. */
static bool is_basic(MPI_Datatype type)
{
	const MPI_Datatype basic[] = {
		MPI_BYTE, MPI_CHAR, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_INT,
		MPI_UNSIGNED, MPI_LONG, MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_FLOAT,
		MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_INT8_T, MPI_UINT8_T, MPI_INT16_T, MPI_UINT16_T, MPI_INT32_T,
		MPI_UINT32_T, MPI_INT64_T, MPI_UINT64_T, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_CHARACTER,
		MPI_INTEGER, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_LOGICAL,
	};

	for (uint32_t i = 0; i < sizeof(basic) / sizeof(*basic); i++)
		if (basic[i] && basic[i] == type)
			return type != MPI_DATATYPE_NULL;
	return false;
}

/* Whether MPI may be asked about a type: the call took it for one, or it is one anyway. */
static bool is_type(const struct iot_mpi *m, MPI_Datatype type)
{
	return m->valid || (!m->nowhere && is_basic(type));
}

void iot_mpi_typed(struct iot_mpi *m, MPI_Datatype type)
{
	if (!is_type(m, type))
		return;
	iot_mpi_type_text(m->type_text, sizeof(m->type_text), type);
	m->type = m->type_text;
}

void iot_mpi_hints(struct iot_mpi *m, char *buf, MPI_Info info)
{
	if (!m->valid)
		return;
	iot_mpi_info_text(buf, IOT_MPI_INFO, info);
	m->info = buf;
}

void iot_mpi_asked(struct iot_mpi *m, MPI_Count count, MPI_Datatype type)
{
	MPI_Count size;

	if (count >= 0 && type != MPI_DATATYPE_NULL && is_type(m, type) &&
	    iot_pmpi_Type_size_x(type, &size) == MPI_SUCCESS && size >= 0)
		m->size = (uint64_t)count * (uint64_t)size;
	else if (m->error)
		m->size = IOT_UNKNOWN;
}

void iot_mpi_moved(struct iot_mpi *m, MPI_Status *status)
{
	MPI_Count bytes;

	if (m->valid && !m->error && iot_pmpi_Get_elements_x(status, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes >= 0)
		m->result = bytes;
}

void iot_mpi_leave(struct iot_call *c, struct iot_mpi *m, const uint64_t *words)
{
	iot_leave_status(c, m->result, (int)m->error, words, IOT_ST_FINISHED);
	c->t = NULL;
	errno = m->err;
}
