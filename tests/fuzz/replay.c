/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over its corpus in an ordinary build, for any compiler.
 *
 *     replay <file with one path per line>
 */
#include <string.h>

#include "fuzz.h"

/* Each input in memory of exactly its size, so that a sanitizer sees the first byte too many. */
static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;
    long size;

    FUZZ_CHECK(file != NULL);
    FUZZ_CHECK(!fseek(file, 0, SEEK_END));
    size = ftell(file);
    FUZZ_CHECK(size >= 0);
    rewind(file);
    bytes = malloc((size_t)size);
    FUZZ_CHECK(size == 0 || bytes != NULL);
    FUZZ_CHECK(fread(bytes, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, (size_t)size);
    free(bytes);
}

int main(int count, char **arguments)
{
    char path[1024];
    unsigned inputs = 0;
    FILE *list;

    FUZZ_CHECK(count == 2);
    list = fopen(arguments[1], "r");
    FUZZ_CHECK(list != NULL);
    while (fgets(path, sizeof path, list)) {
        path[strcspn(path, "\r\n")] = 0;
        if (!*path)
            continue;
        fprintf(stderr, "%s\n", path); /* the last one is where it stopped */
        run_file(path);
        inputs++;
    }
    fclose(list);
    FUZZ_CHECK(inputs > 0);
    printf("[  PASSED  ] %u test(s).\n", inputs); /* what run-test looks for */
    return 0;
}
