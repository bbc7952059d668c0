/* SPDX-License-Identifier: BSD-3-Clause */
/* x86.h - registers of x86-64 as capstone names them, for code.c and for iotrace-audit. */
#ifndef IOTA_X86_H
#define IOTA_X86_H

#include <capstone/x86.h>
#include <stdint.h>

#define IOTA_X86_REGISTERS 16
#define IOTA_X86_CLOBBERED 0x0fc7 /* that a call leaves with anything: rax, rcx, rdx, rsi, rdi, r8 to r11 */

/* In the order of their encoding, 8, 4, 2 and 1 bytes wide. */
static const uint16_t iota_x86_registers[IOTA_X86_REGISTERS][4] = {
	{X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL},
	{X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL},
	{X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL},
	{X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL},
	{X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL},
	{X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL},
	{X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL},
	{X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL},
	{X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B},
	{X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B},
	{X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B},
	{X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B},
	{X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B},
	{X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B},
	{X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B},
	{X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B},
};

#endif
