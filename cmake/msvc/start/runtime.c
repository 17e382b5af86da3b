/* SPDX-License-Identifier: MIT */
/*
 * Defines what Visual Studio's static runtime adds to the C library: a symbol that says that
 * floating point is used, and the directory of thread-local data. Sources: the formats in "PE
 * Format", section ".tls", on learn.microsoft.com.
 */
/* Code with floating-point numbers refers to this symbol. Its value has no meaning. */
int _fltused = 0x9875;

#pragma section(".tls", long, read, write)
#pragma section(".tls$ZZZ", long, read, write)
#pragma section(".CRT$XLA", long, read)
#pragma section(".CRT$XLZ", long, read)
#pragma section(".rdata$T", long, read)

typedef void(__stdcall *tls_callback)(void *module, unsigned reason, void *reserved);

typedef struct tls_directory {
    void *start;
    void *end;
    unsigned *index;
    tls_callback *callbacks;
    unsigned zero_bytes;
    unsigned characteristics;
} tls_directory;

unsigned _tls_index = 0;
__declspec(allocate(".tls")) char _tls_start = 0;
__declspec(allocate(".tls$ZZZ")) char _tls_end = 0;
__declspec(allocate(".CRT$XLA")) tls_callback __xl_a = 0;
__declspec(allocate(".CRT$XLZ")) tls_callback __xl_z = 0;

/* If something refers to this symbol, the linker makes the directory of thread-local data from the
 * symbol. */
__declspec(allocate(".rdata$T")) const tls_directory _tls_used = {
    &_tls_start, &_tls_end, &_tls_index, &__xl_a + 1, 0, 0};
