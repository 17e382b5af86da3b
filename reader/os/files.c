/* SPDX-License-Identifier: MIT */
/* Reads files and streams to their end, even if their length is not known. Also catches faults that
 * happen while a mapped file is read. */
#include "os/files.h"

#include <stdlib.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "system/os.h"

uint32_t prfdata_files_read_stream(prfdata_stream stream, size_t expected, size_t limit,
                                   void **bytes, size_t *size)
{
    size_t capacity = expected + 2; /* the NUL, and one byte to detect the end without growing */
    size_t used = 0;
    size_t got = 1;
    char *content = malloc(capacity);
    uint32_t status = content ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;

    while (status == ERROR_SUCCESS && got > 0) {
        char *grown = prfdata_array_reserve(content, &capacity, used + 2, 1);

        if (!grown) {
            status = ERROR_NOT_ENOUGH_MEMORY;
            break;
        }
        content = grown;
        status = prfdata_files_read_some(stream, content + used, capacity - used - 1, &got);
        used += status == ERROR_SUCCESS ? got : 0;
        if (used > limit)
            status = ERROR_MORE_DATA;
    }
    if (status != ERROR_SUCCESS) {
        free(content);
        return status;
    }
    content[used] = 0;
    *bytes = content;
    *size = used;
    return ERROR_SUCCESS;
}

uint32_t prfdata_files_read(prfdata_text path, size_t limit, void **bytes, size_t *size)
{
    prfdata_files_view view;
    const uint32_t status = prfdata_files_view_open(path, limit, false, &view);

    if (status == ERROR_SUCCESS) {
        *bytes = view.bytes;
        *size = view.size;
    }
    return status;
}

bool prfdata_files_view_read(const prfdata_files_view *view, void (*read)(void *context),
                             void *context)
{
    prfdata_os_region mapped = PRFDATA_OS_REGION_NONE;

    if (!view->is_mapped) {
        read(context);
        return true;
    }
    mapped.bytes = view->bytes;
    mapped.size = view->size;
    return prfdata_os_guarded(&mapped, read, context);
}
