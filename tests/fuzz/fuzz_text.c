/* SPDX-License-Identifier: MIT */
/* Reads any bytes as one of the text files that users write, or as the input of a terminal:
 * workspaces, files for -metrics, -cf and -config, and keys. Everything that is read must lie
 * within the input's lines. A mistake must be in a line of the file. Keys must use up all bytes.
 *
 * Input: one byte says which kind of text it is; the text follows. */
#include <string.h>

#include <prfdata/error.h>

#include "fuzz.h"
#include "os/terminal_keys.h"
#include "paths/path.h"
#include "prfread/settings.h"
#include "prometheus/overrides.h"
#include "viewer/workspace.h"

static bool lies_in(prfdata_text whole, prfdata_text part)
{
    return part.count == 0 ||
           (part.chars >= whole.chars && part.chars + part.count <= whole.chars + whole.count);
}

static bool lies_in_lines(const prfdata_lines *lines, prfdata_text text)
{
    for (size_t i = 0; i < lines->count; i++) {
        if (lies_in(lines->items[i].text, text))
            return true;
    }
    return text.count == 0;
}

static void check_workspace(const char *bytes, size_t size)
{
    prfdata_workspace workspace = {0};
    size_t found = 0;

    if (prfdata_workspace_read(&workspace, bytes, size) != ERROR_SUCCESS)
        return;
    for (size_t i = 0; i < workspace.lines.count; i++) {
        const prfdata_workspace_setting *setting = &workspace.settings[i];
        char name[64] = "";
        prfdata_text value;
        size_t at = 0;

        if (setting->name.count >= sizeof name)
            continue;
        for (size_t k = 0; k < setting->name.count; k++)
            name[k] = (char)setting->name.chars[k];
        while (prfdata_workspace_get(&workspace, name, at, &value)) {
            FUZZ_CHECK(lies_in_lines(&workspace.lines, value));
            found += value.chars == setting->value.chars;
            at++;
        }
        FUZZ_CHECK(at > 0 && at <= workspace.lines.count && found > 0);
        found = 0;
    }
    prfdata_workspace_free(&workspace);
}

static void check_overrides(const char *bytes, size_t size)
{
    const prfdata_titles titles = {0};
    prfdata_overrides overrides = {0};
    prfdata_overrides_error error = {{NULL, 0}, 0, NULL};
    prfdata_lines lines = {0};
    const uint32_t status =
        prfdata_overrides_make(bytes, size, &titles, &overrides, &lines, &error);

    if (status == ERROR_INVALID_DATA)
        FUZZ_CHECK(error.reason && error.line <= size + 1);
    for (size_t i = 0; i < overrides.count; i++)
        FUZZ_CHECK(memchr(overrides.items[i].metric, 0, PRFDATA_OVERRIDE_BYTES) != NULL);
    prfdata_lines_free(&lines);
    prfdata_overrides_free(&overrides);
}

static void check_settings(const char *bytes, size_t size)
{
    prfdata_lines lines = {0};
    prfdata_lines_error mistake;
    prfdata_settings settings = {0};
    prfdata_settings_error error = {0};
    prfdata_options options;
    prfdata_text *names;

    if (prfdata_lines_make(bytes, size, &lines, &mistake) != ERROR_SUCCESS)
        return;
    names = fuzz_memory((lines.count + 1) * sizeof *names);
    prfdata_options_init(&options, names);
    if (prfdata_settings_read(&lines, &settings, &options, &error) == ERROR_SUCCESS)
        FUZZ_CHECK(options.name_count <= lines.count);
    prfdata_settings_free(&settings);
    prfdata_lines_free(&lines);
    free(names);
}

/* Checks lines of -cf: each part of a path must lie in the path's line. */
static void check_paths(const char *bytes, size_t size)
{
    prfdata_lines lines = {0};
    prfdata_lines_error mistake = {0, NULL};
    prfdata_path_readings readings;
    prfdata_path_error error;
    prfdata_path path;

    if (prfdata_lines_make(bytes, size, &lines, &mistake) != ERROR_SUCCESS) {
        FUZZ_CHECK(mistake.reason && mistake.line <= size + 1);
        return;
    }
    for (size_t i = 0; i < lines.count; i++) {
        const prfdata_text line = lines.items[i].text;
        unsigned count = 0;

        FUZZ_CHECK(line.count > 0 && lines.items[i].number <= size + 1);
        FUZZ_CHECK(i == 0 || lines.items[i - 1].number < lines.items[i].number);
        if (!prfdata_path_begin_readings(&readings, line, &error)) {
            FUZZ_CHECK(error.reason && error.position <= line.count);
            continue;
        }
        for (; prfdata_path_next_reading(&readings, &path); count++) {
            FUZZ_CHECK(lies_in(line, path.computer) && lies_in(line, path.object));
            FUZZ_CHECK(lies_in(line, path.instance) && lies_in(line, path.counter));
        }
        FUZZ_CHECK(count <= 1024);
    }
    prfdata_lines_free(&lines);
}

static void check_keys(const unsigned char *bytes, size_t size)
{
    size_t at = 0;

    while (at < size) {
        uint32_t key = 0;
        size_t taken = prfdata_terminal_keys_take(bytes + at, size - at, false, &key);

        if (taken == 0)
            taken = prfdata_terminal_keys_take(bytes + at, size - at, true, &key);
        FUZZ_CHECK(taken > 0 && taken <= size - at && key <= PRFDATA_KEY_OTHER);
        at += taken;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *exact;

    if (size == 0)
        return 0;
    exact = fuzz_copy(bytes + 1, size - 1);
    switch (bytes[0] % 5) {
    case 0:
        check_workspace(exact, size - 1);
        break;
    case 1:
        check_overrides(exact, size - 1);
        break;
    case 2:
        check_settings(exact, size - 1);
        break;
    case 4:
        check_paths(exact, size - 1);
        break;
    default:
        check_keys((const unsigned char *)exact, size - 1);
    }
    free(exact);
    return 0;
}
