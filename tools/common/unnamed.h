/* SPDX-License-Identifier: BSD-3-Clause */
/* unnamed.h - files without a name, for bytes that have to be a file while a tool runs. */
#ifndef UNNAMED_H
#define UNNAMED_H

/* In TMPDIR; dies if there can be none, and says for what it was. */
int iot_unnamed(const char *what);

#endif
