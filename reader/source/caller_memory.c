/* SPDX-License-Identifier: MIT */
/*
 * Allocates accessible pages between reserved ones, so that an access outside them is a fault. The
 * pages are at the highest addresses, so a provider that truncates a pointer to 32 bits faults in a
 * 64-bit process.
 */
#include "source/caller_memory.h"

#include <string.h>
#include <wchar.h>

#define UNIT_BYTES 4096u

size_t prfdata_caller_memory_round(size_t bytes)
{
    return (bytes + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
}

/* Allocate `bytes`, a multiple of UNIT_BYTES. Returns NULL without memory. */
static unsigned char *make_pages(size_t bytes)
{
    unsigned char *memory = VirtualAlloc(NULL, bytes + 2 * PRFDATA_CALLER_PAGE_BYTES,
                                         MEM_RESERVE | MEM_TOP_DOWN, PAGE_NOACCESS);

    if (memory &&
        !VirtualAlloc(memory + PRFDATA_CALLER_PAGE_BYTES, bytes, MEM_COMMIT, PAGE_READWRITE)) {
        VirtualFree(memory, 0, MEM_RELEASE);
        memory = NULL;
    }
    return memory ? memory + PRFDATA_CALLER_PAGE_BYTES : NULL;
}

void prfdata_caller_memory_free(void *pages)
{
    if (pages)
        VirtualFree((unsigned char *)pages - PRFDATA_CALLER_PAGE_BYTES, 0, MEM_RELEASE);
}

#define PATTERN_PERIOD (251u * 256) /* bytes after which the pattern repeats */

/*
 * Fill memory with bytes that differ from their neighbours, so that guard bytes change even if
 * Collect moves them by only one byte.
 */
static void fill_pattern(unsigned char *bytes, size_t size)
{
    size_t done = size < PATTERN_PERIOD ? size : PATTERN_PERIOD;

    for (size_t i = 0; i < done; i++)
        bytes[i] = (unsigned char)(0xA5 ^ (i * 7 + i / 251));
    /* Copy ever larger pieces, because each thread has megabytes to fill. */
    for (size_t more; done < size; done += more) {
        more = size - done < done ? size - done : done;
        memcpy(bytes + done, bytes, more);
    }
}

static void free_buffer_room(prfdata_caller_thread *thread)
{
    prfdata_caller_memory_free(thread->memory);
    prfdata_caller_memory_free(thread->pattern);
    thread->memory = NULL;
    thread->pattern = NULL;
    thread->bytes = 0;
}

void prfdata_caller_memory_release(prfdata_caller_thread *thread)
{
    free_buffer_room(thread);
    prfdata_caller_memory_free(thread->query_memory);
    thread->query_memory = NULL;
    thread->query_copy = NULL;
}

uint32_t prfdata_caller_memory_reserve(prfdata_caller_thread *thread,
                                       const prfdata_caller_question *question)
{
    const bool is_exact = question->place == PRFDATA_PLACE_PAGES;
    const size_t bytes = is_exact ? question->capacity
                                  : prfdata_caller_memory_round((size_t)question->capacity +
                                                                2 * PRFDATA_CALLER_GUARD_BYTES + 8);

    if (is_exact ? bytes == thread->bytes : bytes <= thread->bytes)
        return ERROR_SUCCESS;
    free_buffer_room(thread);
    thread->memory = make_pages(bytes);
    thread->pattern = make_pages(bytes);
    if (!thread->memory || !thread->pattern) {
        free_buffer_room(thread);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    fill_pattern(thread->pattern, bytes);
    memcpy(thread->memory, thread->pattern, bytes);
    thread->bytes = bytes;
    return ERROR_SUCCESS;
}

void *prfdata_caller_memory_copy(const void *bytes, size_t size, void **pages)
{
    unsigned char *made = make_pages(prfdata_caller_memory_round(size));

    *pages = made;
    return made ? memcpy(made + prfdata_caller_memory_round(size) - size, bytes, size) : NULL;
}

bool prfdata_caller_memory_has_query(const prfdata_caller_thread *thread, const wchar_t *query)
{
    return query && thread->query_copy && wcscmp(thread->query_copy, query) == 0;
}

uint32_t prfdata_caller_memory_copy_query(prfdata_caller_thread *thread, const wchar_t *query,
                                          wchar_t **copy)
{
    void *pages;

    *copy = NULL;
    if (!query)
        return ERROR_SUCCESS;
    if (prfdata_caller_memory_has_query(thread, query)) {
        *copy = thread->query_copy;
        return ERROR_SUCCESS;
    }
    *copy = prfdata_caller_memory_copy(query, (wcslen(query) + 1) * sizeof *query, &pages);
    if (!*copy)
        return ERROR_NOT_ENOUGH_MEMORY;
    prfdata_caller_memory_free(thread->query_memory);
    thread->query_memory = pages;
    thread->query_copy = *copy;
    return ERROR_SUCCESS;
}
