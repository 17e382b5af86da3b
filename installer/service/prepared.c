/* SPDX-License-Identifier: MIT */
/* Prepares an installation, before its first change. Windows only. */
#include "service/prepared.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "map/map_bytes.h"
#include "report/map_report.h"
#include "service/dll_copy.h"
#include "service/provider_dll.h"
#include "titles/title_text.h"
#include "windows/wine.h"

uint32_t prfdata_prepared_encode_map(const prfdata_model *model, void **bytes, size_t *size)
{
    size_t needed = 0;
    void *memory;

    prfdata_map_bytes_encode(model->map, model->hash, NULL, 0, &needed);
    memory = malloc(needed);
    if (!memory)
        return ERROR_NOT_ENOUGH_MEMORY;
    prfdata_map_bytes_encode(model->map, model->hash, memory, needed, size);
    *bytes = memory;
    return ERROR_SUCCESS;
}

uint32_t prfdata_prepared_from_map(prfdata_prepared *prepared, const prfdata_map *map,
                                   const prfdata_report *report)
{
    uint32_t status = prfdata_model_make(map, &prepared->model);

    prepared->map = map;
    if (!status || status == ERROR_INVALID_PARAMETER)
        prfdata_map_report_mistakes(report, map, L""); /* a valid map may get notes */
    if (status == ERROR_INVALID_PARAMETER)
        return status;
    if (!status)
        status =
            prfdata_prepared_encode_map(prepared->model, &prepared->map_bytes, &prepared->map_size);
    return status ? prfdata_report_error(report, status, L"The map cannot be prepared")
                  : ERROR_SUCCESS;
}

uint32_t prfdata_prepared_make_title_files(prfdata_prepared *prepared, const prfdata_report *report)
{
    prfdata_title_file *ini = &prepared->files[0];
    prfdata_title_file *header = &prepared->files[1];
    uint32_t status;

    ini->extension = L".ini";
    header->extension = L".h";
    status = prfdata_title_text_ini(prepared->model, &prepared->languages, &ini->bytes, &ini->size);
    if (!status)
        status = prfdata_title_text_header(prepared->model, &header->bytes, &header->size);
    return status ? prfdata_report_error(report, status, L"The title files cannot be prepared")
                  : ERROR_SUCCESS;
}

/* Show which account a name means, because the user may have meant another one. */
static void report_writer(void *context, const wchar_t *given, const wchar_t *sid,
                          const wchar_t *name)
{
    const prfdata_report *report = context;

    if (_wcsicmp(given, sid) == 0)
        return;
    if (!name[0])
        prfdata_report_line(report, PRFDATA_STEP_SAME,
                            L"Writer: %ls is %ls, which no account on this computer has yet", given,
                            sid);
    else
        prfdata_report_line(report, PRFDATA_STEP_SAME, L"Writer: %ls is %ls, %ls", given, name,
                            sid);
}

static uint32_t make_regions_sddl(prfdata_prepared *made, const prfdata_report *report)
{
    const wchar_t *given = made->options->writers ? made->options->writers : L"Services";
    wchar_t unknown[PRFDATA_WRITER_CHARS];
    uint32_t status =
        prfdata_writers_resolve(given, made->writers, unknown, report_writer, (void *)report);

    if (!status)
        return prfdata_access_list_regions_sddl(made->writers, made->regions_sddl);
    if (status == ERROR_NONE_MAPPED)
        prfdata_report_line(
            report, PRFDATA_STEP_FAILED,
            L"Writers: Windows does not know the account %ls. " PRFDATA_WRITERS_HELP, unknown);
    else if (status == ERROR_INVALID_PARAMETER)
        prfdata_report_line(report, PRFDATA_STEP_FAILED,
                            L"Writers: a name is empty, or there are more than 16 accounts: %ls",
                            given);
    else
        prfdata_report_error(report, status, L"Writers: the account %ls cannot be looked up",
                             unknown);
    return status == ERROR_NONE_MAPPED ? ERROR_INVALID_PARAMETER : status;
}

static uint32_t read_provider(prfdata_prepared *made, uint16_t *machine,
                              const prfdata_report *report)
{
    const char *missing = "";
    uint32_t status =
        prfdata_provider_dll_read(made->dll, machine, &missing, &made->dll_bytes, &made->dll_size);

    if (status == ERROR_PROC_NOT_FOUND)
        prfdata_report_line(report, PRFDATA_STEP_FAILED, L"Not a provider: %ls does not export %hs",
                            made->dll, missing);
    else if ((status == ERROR_FILE_NOT_FOUND || status == ERROR_PATH_NOT_FOUND) &&
             !made->options->provider_path)
        prfdata_report_line(
            report, PRFDATA_STEP_FAILED,
            L"The provider DLL is missing: %ls, "
            L"or " PRFDATA_PROVIDER_READY L".dll there. Put one of them into that folder",
            made->dll);
    else if (status == ERROR_BAD_EXE_FORMAT)
        prfdata_report_line(
            report, PRFDATA_STEP_FAILED,
            L"Not a DLL: %ls is empty, truncated or another kind of file. Copy it there again",
            made->dll);
    else if (status)
        prfdata_report_error(report, status, L"Provider DLL %ls", made->dll);
    return status;
}

static uint32_t find_provider(prfdata_prepared *made, const prfdata_report *report)
{
    uint16_t wanted = prfdata_provider_dll_machine(made->options->arch);
    uint16_t machine = 0;
    uint32_t status = prfdata_provider_dll_path(made->map, made->options, made->dll);

    if (status)
        return prfdata_report_error(report, status, L"Provider DLL: its path cannot be made");
    status = read_provider(made, &machine, report);
    if (status)
        return status;
    if (!prfdata_provider_dll_machine_fits(machine, made->options->arch)) {
        prfdata_report_line(report, PRFDATA_STEP_FAILED,
                            L"Wrong provider: %ls is for %ls, but %ls is needed", made->dll,
                            prfdata_provider_dll_machine_text(machine),
                            prfdata_provider_dll_machine_text(wanted));
        return ERROR_BAD_EXE_FORMAT;
    }
    prfdata_report_line(report, PRFDATA_STEP_SAME, L"Provider: %ls (%ls)", made->dll,
                        prfdata_provider_dll_machine_text(machine));
    return ERROR_SUCCESS;
}

static uint32_t name_dll_copy(prfdata_prepared *made, const prfdata_report *report)
{
    wchar_t service[PRFDATA_MAX_SERVICE_CHARS + 1];
    uint32_t status;

    (void)swprintf(service, sizeof service / sizeof service[0], L"%hs", made->map->service);
    status =
        prfdata_dll_copy_path(service, made->dll, made->dll_bytes, made->dll_size, made->dll_copy);
    return status ? prfdata_report_error(report, status,
                                         L"The path of the registered copy of %ls is too long",
                                         made->dll)
                  : ERROR_SUCCESS;
}

uint32_t prfdata_prepared_add_options(prfdata_prepared *prepared,
                                      const prfdata_install_options *options,
                                      const prfdata_report *report)
{
    uint32_t status;

    prepared->options = options;
    status = make_regions_sddl(prepared, report);
    if (!status)
        status = find_provider(prepared, report);
    if (!status)
        status = name_dll_copy(prepared, report);
    return status;
}

void prfdata_prepared_free(prfdata_prepared *prepared)
{
    for (int i = 0; i < PRFDATA_TITLE_FILES; i++)
        prfdata_title_file_free(&prepared->files[i]);
    free(prepared->dll_bytes);
    free(prepared->map_bytes);
    prfdata_model_free(prepared->model);
    prepared->dll_bytes = NULL;
    prepared->map_bytes = NULL;
    prepared->model = NULL;
}

static bool is_protection_required(const prfdata_install_options *options)
{
    if (options->protection == PRFDATA_PROTECTION_DEFAULT)
        return !prfdata_wine_is_here();
    return options->protection == PRFDATA_PROTECTION_REQUIRED;
}

uint32_t prfdata_prepared_check_place(const prfdata_prepared *prepared, const wchar_t *path,
                                      prfdata_protection_role role, const wchar_t *what,
                                      const wchar_t *advice, const prfdata_report *report)
{
    wchar_t text[PRFDATA_REPORT_CHARS];
    prfdata_weakness weakness;
    uint32_t status = prfdata_protection_check(path, role, &weakness);

    if (status)
        return prfdata_report_error(report, status, L"Cannot find out who can change %ls", path);
    prfdata_protection_text(&weakness, text, PRFDATA_REPORT_CHARS);
    if (weakness.kind == PRFDATA_WEAKNESS_NONE) {
        prfdata_report_line(report, PRFDATA_STEP_SAME, L"Protected: %ls", what);
        return ERROR_SUCCESS;
    }
    if (!is_protection_required(prepared->options)) {
        prfdata_report_line(report, PRFDATA_STEP_LEFT, L"Not protected, %ls: %ls",
                            prfdata_wine_is_here() ? L"which is normal under Wine" : L"as allowed",
                            text);
        return ERROR_SUCCESS;
    }
    prfdata_report_line(report, PRFDATA_STEP_FAILED, L"Not protected: %ls", text);
    prfdata_report_line(report, PRFDATA_STEP_FAILED, L"%ls", advice);
    return ERROR_INVALID_ACL;
}
