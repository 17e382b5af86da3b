# SPDX-License-Identifier: MIT
# The functions through which code that is compiled with /guard:cf makes indirect calls. A Windows
# that knows Control Flow Guard puts its own in their place; these check nothing.
    .section .00cfg,"dr"
    .p2align 3
    .globl __guard_check_icall_fptr
__guard_check_icall_fptr:
    .quad check_nothing
    .globl __guard_dispatch_icall_fptr
__guard_dispatch_icall_fptr:
    .quad call_unchecked
    .text
check_nothing:
    ret
call_unchecked:
    jmp *%rax
