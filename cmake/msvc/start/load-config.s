# SPDX-License-Identifier: MIT
# The load configuration, in which Windows finds the tables of Control Flow Guard. Visual Studio's
# static runtime has one, too. The linker finds it by its name, and defines the symbols of the
# tables. Sources on learn.microsoft.com: "PE Format", section "The Load Configuration Structure";
# for the last two fields "IMAGE_LOAD_CONFIG_DIRECTORY64 structure (winnt.h)".
    .section .rdata,"dr"
    .p2align 3
    .globl _load_config_used
_load_config_used:
    .long 0x118 /* the size */
    .zero 0x6C
    .quad __guard_check_icall_fptr /* 0x70 */
    .quad __guard_dispatch_icall_fptr
    .quad __guard_fids_table
    .quad __guard_fids_count
    .long __guard_flags /* 0x90 */
    .zero 12
    .quad __guard_iat_table /* 0xA0 */
    .quad __guard_iat_count
    .quad __guard_longjmp_table
    .quad __guard_longjmp_count
    .zero 0x48 /* 0xC0 */
    .quad __guard_eh_cont_table /* 0x108 */
    .quad __guard_eh_cont_count
