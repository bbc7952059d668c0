/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz.h - what libFuzzer, or replay.c, calls. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
