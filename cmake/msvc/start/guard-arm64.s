# SPDX-License-Identifier: MIT
# The functions through which code that is compiled with /guard:cf makes indirect calls. A Windows
# that knows Control Flow Guard puts its own in their place; these check nothing. Code for ARM64 has
# only the address in x15 checked by such a function, and then makes the call itself.
    .section .00cfg,"dr"
    .p2align 3
    .globl __guard_check_icall_fptr
__guard_check_icall_fptr:
    .quad check_nothing
    .globl __guard_dispatch_icall_fptr
__guard_dispatch_icall_fptr:
    .quad check_nothing
    .text
check_nothing:
    ret
