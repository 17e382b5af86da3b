/* SPDX-License-Identifier: MIT */
/*
 * Checks files with the installer's code (windows/protection.h), and turns its findings into
 * messages. Windows only.
 */
#include <windows.h>

#include "prfread/service_protection.h"

#include <stdlib.h>
#include <string.h>

#include "prfread/service_command.h"
#include "source/source.h"
#include "windows/protection.h"

enum { WEAKNESS_CHARS = 1024 };

/* Put the text as UTF-8 with its NUL into `output`, and return it. */
static const char *utf8_of(const wchar_t *text, prfdata_output *output)
{
    prfdata_output_put_text(output, prfdata_text_from_chars((const uint16_t *)text));
    prfdata_output_put(output, "", 1);
    return output->failed ? "" : output->bytes;
}

static bool is_file_protected(const wchar_t *path, prfdata_messages *messages)
{
    const prfdata_text subject = prfdata_text_from_chars((const uint16_t *)path);
    wchar_t text[WEAKNESS_CHARS];
    prfdata_weakness weakness;
    prfdata_output shown = {0};
    const uint32_t status = prfdata_protection_check(path, PRFDATA_PROTECTED_FILE, &weakness);

    if (status) {
        prfdata_messages_add_system(messages, subject, status, "cannot find out who can change it");
        return false;
    }
    if (weakness.kind == PRFDATA_WEAKNESS_NONE)
        return true;
    prfdata_protection_text(&weakness, text, WEAKNESS_CHARS);
    prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, subject,
                         "the service would run a file that others can replace: %s; put the "
                         "file into a folder that only administrators can change, such as one "
                         "in Program Files",
                         utf8_of(text, &shown));
    prfdata_output_free(&shown);
    return false;
}

/* Check a file. A file that does not exist counts as not protected, because this check does not
 * examine who may create it. */
static bool is_text_protected(prfdata_text file, prfdata_messages *messages)
{
    wchar_t *given = calloc(file.count + 1, sizeof *given);
    wchar_t path[MAX_PATH];
    DWORD chars = 0;

    if (given) {
        memcpy(given, file.chars, file.count * sizeof *given);
        chars = GetFullPathNameW(given, MAX_PATH, path, NULL);
    }
    free(given);
    if (chars > 0 && chars < MAX_PATH && GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES)
        return is_file_protected(path, messages);
    prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, file,
                         "does not exist: others could create it, and the service would use "
                         "it; create it first");
    return false;
}

bool prfdata_service_protection_check(const uint16_t *program, const prfdata_options *options,
                                      prfdata_messages *messages)
{
    bool is_protected = is_file_protected((const wchar_t *)program, messages);
    prfdata_text files[PRFDATA_SERVICE_FILES];

    prfdata_service_command_files(options, files);
    for (unsigned i = 0; i < PRFDATA_SERVICE_FILES; i++) {
        /* The value of -dll may name a service, whose files its installer protects. */
        const bool is_service = i == 0 && options->source == PRFDATA_SOURCE_DLL &&
                                !prfdata_source_dll_may_be_file(files[i]);

        if (files[i].count > 0 && !is_service && !is_text_protected(files[i], messages))
            is_protected = false;
    }
    return is_protected;
}
