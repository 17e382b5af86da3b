// SPDX-License-Identifier: MIT
// Touch each page of a large stack frame in order; x15 has its size in units of 16 bytes. Changes
// x16 and x17 only. Rule: "Overview of ARM64 ABI conventions", "Stack", on learn.microsoft.com.
    .globl __chkstk
__chkstk:
    subs x17, sp, x15, lsl #4
    csel x17, xzr, x17, lo
    mov x16, sp
1:  sub x16, x16, #1, lsl #12
    cmp x16, x17
    b.ls 2f
    ldr xzr, [x16]
    b 1b
2:  ret
