# SPDX-License-Identifier: MIT
# Touch each page of a large stack frame in order; rax has its size and keeps it, like all other
# registers. Rule: "x64 prolog and epilog" on learn.microsoft.com.
    .globl __chkstk
__chkstk:
    push %rcx
    push %rax
    lea 24(%rsp), %rcx
    cmp $0x1000, %rax
    jb 2f
1:  sub $0x1000, %rcx
    test %rcx, (%rcx)
    sub $0x1000, %rax
    cmp $0x1000, %rax
    ja 1b
2:  sub %rax, %rcx
    test %rcx, (%rcx)
    pop %rax
    pop %rcx
    ret
