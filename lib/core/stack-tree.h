/* SPDX-License-Identifier: BSD-3-Clause */
/* stack-tree.h - the frames of stacks that have an id: stack-tree.c. */
#ifndef IOT_STACK_TREE_H
#define IOT_STACK_TREE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

uint32_t iot_tree_find(uint32_t hash, const uintptr_t *pc, uint32_t n);
uint32_t iot_tree_id(uint32_t number);
bool iot_tree_has_room(uint32_t n);
uint32_t iot_tree_add(uint32_t hash, const uintptr_t *pc, uint32_t n, uint32_t caller, uint32_t id);
void iot_tree_forget(void);

#pragma GCC visibility pop

#endif
