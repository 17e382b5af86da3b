/* SPDX-License-Identifier: MIT */
/* Reads a workspace and resolves all lines of its chart, as prfview does. tests/scripts/doubling.py
 * counts its instructions. Its argument is the file. */
#include <stdio.h>
#include <stdlib.h>

#include "support/must.h"
#include "viewer/workspace.h"

int main(int count, char **arguments)
{
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    char *bytes = malloc(PRFDATA_LINES_MAX_BYTES);
    prfdata_workspace workspace = {0};
    prfdata_text value;
    size_t lines = 0;
    size_t size;

    MUST(file && bytes);
    size = fread(bytes, 1, PRFDATA_LINES_MAX_BYTES, file);
    MUST(fclose(file) == 0);
    MUST(prfdata_workspace_read(&workspace, bytes, size) == 0);
    while (prfdata_workspace_get(&workspace, "line", lines, &value))
        lines++;
    printf("%u lines\n", (unsigned)lines);
    prfdata_workspace_free(&workspace);
    free(bytes);
    return 0;
}
