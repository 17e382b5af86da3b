/* SPDX-License-Identifier: MIT */
/*
 * Windows only. The first lines are those of `lodctr /Q:<service>`, which users know; PrfData's own
 * lines follow. A line that begins with "Wrong: " names a fault. This file changes nothing.
 */
#include <prfdata/install.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "installer/access_list.h"
#include "installer/event_source.h"
#include "core/maps.h"
#include "installer/map_report.h"
#include "installer/pe_file.h"
#include "installer/provider_dll.h"
#include "installer/region_files.h"
#include "installer/registration.h"
#include "installer/report.h"
#include "installer/service_key.h"
#include "installer/site.h"
#include "installer/title_database.h"
#include "installer/wine.h"

typedef struct look {
    prfdata_report report;
    const prfdata_map *map;
    prfdata_service_key key;
    prfdata_model *installed; /* of the registered map; NULL if that cannot be read */
    uint32_t status;
} look;

static void show_line(const look *work, prfdata_step step, const wchar_t *before,
                      const wchar_t *format, va_list arguments)
{
    wchar_t text[PRFDATA_REPORT_CHARS];

    (void)vswprintf(text, PRFDATA_REPORT_CHARS, format, arguments);
    text[PRFDATA_REPORT_CHARS - 1] = 0;
    prfdata_report_line(&work->report, step, L"    %ls%ls", before, text);
}

static void show_fact(const look *work, const wchar_t *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    show_line(work, PRFDATA_STEP_SAME, L"", format, arguments);
    va_end(arguments);
}

static void show_fault(look *work, const wchar_t *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    show_line(work, PRFDATA_STEP_FAILED, L"Wrong: ", format, arguments);
    va_end(arguments);
    work->status = ERROR_INVALID_DATA;
}

/* ---- The lines of lodctr /Q ---- */

static void show_head(const look *work)
{
    DWORD disabled = 0;

    prfdata_service_key_number(&work->key, L"Disable Performance Counters", &disabled);
    prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"[%ls] Performance Counters (%ls)",
                        work->key.service, disabled ? L"Disabled" : L"Enabled");
}

static void show_text_value(const look *work, const wchar_t *label, const wchar_t *name)
{
    wchar_t text[MAX_PATH];

    if (prfdata_service_key_text(&work->key, name, text, MAX_PATH))
        show_fact(work, L"%ls: %ls", label, text);
}

static void show_title_index(const look *work, const wchar_t *label, const wchar_t *name)
{
    DWORD number;

    if (prfdata_service_key_number(&work->key, name, &number))
        show_fact(work, L"%ls: 0x%08lX (%lu)", label, (unsigned long)number, (unsigned long)number);
}

static void show_registration(const look *work)
{
    show_head(work);
    show_text_value(work, L"DLL Name", L"Library");
    show_text_value(work, L"Open Procedure", L"Open");
    show_text_value(work, L"Collect Procedure", L"Collect");
    show_text_value(work, L"Close Procedure", L"Close");
    show_title_index(work, L"First Counter ID", L"First Counter");
    show_title_index(work, L"Last Counter ID", L"Last Counter");
    show_title_index(work, L"First Help ID", L"First Help");
    show_title_index(work, L"Last Help ID", L"Last Help");
}

/* ---- PrfData's own lines ---- */

static bool find_value(const look *work, const wchar_t *name, prfdata_value_list *list,
                       const prfdata_value **value)
{
    if (prfdata_service_key_save(&work->key, list) != 0)
        return false;
    *value = prfdata_service_key_find(list, name);
    return *value != NULL;
}

static void look_at_map(look *work)
{
    prfdata_value_list list = {0};
    const prfdata_value *value = NULL;
    uint32_t status = ERROR_FILE_NOT_FOUND;

    if (find_value(work, L"Maps", &list, &value) && value->type == REG_BINARY)
        status = prfdata_maps_present(value->data, value->size, &work->installed);
    prfdata_service_key_free_values(&list);
    if (status) {
        show_fault(work, L"the registered map is missing or damaged (%lu)", (unsigned long)status);
        return;
    }
    show_fact(work, L"Map: objects %lu, titles %lu", (unsigned long)work->installed->object_count,
              (unsigned long)work->installed->title_count);
}

/* Whether these bytes are the present one of the registered maps. */
static bool is_registered_map(const look *work, const void *bytes, size_t size)
{
    prfdata_value_list list = {0};
    const prfdata_value *value = NULL;
    prfdata_maps maps;
    bool is_same = false;

    if (find_value(work, L"Maps", &list, &value) &&
        !prfdata_maps_parse(value->data, value->size, &maps))
        is_same = maps.entries[0].size == size && !memcmp(maps.entries[0].bytes, bytes, size);
    prfdata_service_key_free_values(&list);
    return is_same;
}

/* Compare the registered map with this program's, which -Install would write; texts count. */
static void compare_map(look *work)
{
    prfdata_model *own = NULL;
    size_t size = 0;
    void *bytes = NULL;
    uint32_t status = prfdata_model_make(work->map, &own);

    if (!status)
        status = prfdata_registration_encode_map(own, &bytes, &size);
    if (status == ERROR_INVALID_PARAMETER) {
        prfdata_map_report_mistakes(&work->report, work->map, L"    Wrong: this program's map. ");
        work->status = ERROR_INVALID_PARAMETER;
    } else if (status) {
        show_fault(work, L"this program's map cannot be compared (%lu)", (unsigned long)status);
    } else if (!is_registered_map(work, bytes, size)) {
        bool same = own->hash == work->installed->hash;

        prfdata_report_line(
            &work->report, PRFDATA_STEP_FAILED,
            same ? L"    Differs: the texts in this program's map are not those "
                   L"installed; -Install updates them"
                 : L"    Differs: this program has another version of the map; readers "
                   L"do not see its counters until -Install");
        work->status = ERROR_REVISION_MISMATCH;
    }
    free(bytes);
    prfdata_model_free(own);
}

static void look_at_titles(look *work)
{
    switch (prfdata_title_database_verify(&work->key, work->installed)) {
    case ERROR_SUCCESS:
        if (prfdata_wine_is_here())
            show_fact(work, L"Titles: only numbers, because under Wine loadperf stores no texts");
        else
            show_fact(work, L"Titles: loaded, the first is \"%ls\"",
                      work->installed->objects[0].entry->name);
        break;
    case ERROR_FILE_NOT_FOUND:
        show_fault(work, L"the titles are not loaded");
        break;
    default:
        show_fault(work, L"the loaded titles are not those of the registered map");
        break;
    }
}

static const wchar_t *who_sees_counters(uint16_t machine)
{
    if (machine == prfdata_provider_dll_machine(PRFDATA_ARCH_NATIVE))
        return machine == PRFDATA_PE_MACHINE_X86
                   ? L"all readers see the counters"
                   : L"64-bit readers see the counters, 32-bit readers do not";
    if (machine == PRFDATA_PE_MACHINE_X86)
        return L"32-bit readers see the counters, and 64-bit readers through perfhost.exe";
    return NULL;
}

/* Report a weakness as a fact, not as a fault: a developer may have allowed it. */
static void look_at_protection(const look *work, const wchar_t *path)
{
    wchar_t text[PRFDATA_REPORT_CHARS];
    prfdata_weakness weakness;

    if (prfdata_protection_check(path, PRFDATA_PROTECTED_FILE, &weakness) != ERROR_SUCCESS)
        return;
    prfdata_protection_text(&weakness, text, PRFDATA_REPORT_CHARS);
    show_fact(work, L"DLL Protection: %ls", weakness.kind ? text : L"administrators only");
}

/* Returns whether there is a DLL that can be examined. */
static bool look_at_dll(look *work)
{
    const char *missing = "";
    uint16_t machine = 0;
    wchar_t path[MAX_PATH];
    wchar_t expanded[MAX_PATH];
    uint32_t status;

    if (!prfdata_service_key_text(&work->key, L"Library", path, MAX_PATH)) {
        show_fault(work, L"no DLL is registered");
        return false;
    }
    if (!ExpandEnvironmentStringsW(path, expanded, MAX_PATH))
        wcscpy(expanded, path);
    status = prfdata_provider_dll_inspect(expanded, &machine, &missing);
    if (status == ERROR_PROC_NOT_FOUND)
        show_fault(work, L"the DLL does not export %hs", missing);
    else if (status)
        show_fault(work, L"the DLL cannot be read, or is not a DLL (%lu)", (unsigned long)status);
    if (status)
        return false;
    if (who_sees_counters(machine))
        show_fact(work, L"DLL Architecture: %ls: %ls", prfdata_provider_dll_machine_text(machine),
                  who_sees_counters(machine));
    else
        show_fault(work, L"the DLL is for %ls: no reader of this system can load it",
                   prfdata_provider_dll_machine_text(machine));
    look_at_protection(work, expanded);
    return true;
}

static void look_at_procedures(look *work)
{
    static const wchar_t *const values[][2] = {{L"Open", PRFDATA_PROVIDER_OPEN},
                                               {L"Collect", PRFDATA_PROVIDER_COLLECT},
                                               {L"Close", PRFDATA_PROVIDER_CLOSE}};

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        wchar_t text[64];

        prfdata_service_key_text(&work->key, values[i][0], text, 64);
        if (wcscmp(text, values[i][1]) != 0)
            show_fault(work, L"the value %ls is \"%ls\", not \"%ls\"", values[i][0], text,
                       values[i][1]);
    }
}

static void look_at_linkage(look *work)
{
    switch (prfdata_service_key_linkage(&work->key)) {
    case PRFDATA_LINKAGE_OURS:
        break;
    case PRFDATA_LINKAGE_FOREIGN:
        show_fact(
            work,
            L"Linkage: not created by this installer; the provider takes the service from its file "
            L"name");
        break;
    default:
        show_fault(work, L"Linkage\\Export does not name the service");
        break;
    }
}

static void look_at_source(look *work)
{
    wchar_t name[PRFDATA_EVENT_SOURCE_CHARS];
    wchar_t dll[MAX_PATH];

    prfdata_service_key_text(&work->key, L"Library", dll, MAX_PATH);
    prfdata_event_source_name(work->key.service, name);
    switch (prfdata_event_source_look(work->key.service, dll)) {
    case PRFDATA_EVENT_SOURCE_OURS:
        show_fact(work, L"Event Source: %ls", name);
        break;
    case PRFDATA_EVENT_SOURCE_FOREIGN:
        show_fact(work,
                  L"Event Source: %ls, not created by this installer; events show without texts",
                  name);
        break;
    default:
        show_fault(work, L"the event source %ls is not registered for the DLL", name);
        break;
    }
}

static void look_at_regions(look *work)
{
    prfdata_site site = {0};
    wchar_t path[MAX_PATH];
    wchar_t writers[256];
    uint32_t status;

    if (!prfdata_service_key_text(&work->key, L"Regions", path, MAX_PATH) || !path[0]) {
        show_fault(work, L"no regions folder is registered");
        return;
    }
    show_fact(work, L"Regions Folder: %ls", path);
    status = prfdata_site_open(&site, NULL, path, work->key.service);
    switch (status) {
    case ERROR_SUCCESS:
        prfdata_access_list_writers(site.regions.handle, writers,
                                    sizeof writers / sizeof writers[0]);
        show_fact(work, L"Regions: %lu", (unsigned long)prfdata_region_files_count(&site.regions));
        show_fact(work, L"Writers: %ls", writers);
        break;
    case ERROR_FILE_NOT_FOUND:
        show_fault(work, L"the regions folder does not exist");
        break;
    case ERROR_DIRECTORY:
        show_fault(work, L"the regions folder is a file or a link");
        break;
    case ERROR_INVALID_OWNER:
        show_fault(work, L"the regions folder belongs neither to Administrators nor to SYSTEM");
        break;
    default:
        show_fault(work, L"the regions folder cannot be opened (%lu)", (unsigned long)status);
        break;
    }
    prfdata_site_close(&site);
}

static void look_at_switches(look *work)
{
    DWORD number = 0;

    if (prfdata_service_key_number(&work->key, L"Disable Performance Counters", &number) &&
        number != 0)
        show_fault(work, L"disabled (%lu: %ls); `lodctr /E:%ls` enables it", (unsigned long)number,
                   number == 2   ? L"32-bit readers"
                   : number == 4 ? L"64-bit readers"
                                 : L"all readers",
                   work->key.service);
    if (prfdata_service_key_number(&work->key, L"Publish", &number) && number == 0)
        show_fact(work, L"Publishing: off, because the value Publish is 0");
    else
        show_fact(work, L"Publishing: on");
}

static void look_at_registration(look *work)
{
    show_registration(work);
    look_at_map(work);
    if (work->installed)
        look_at_titles(work);
    if (look_at_dll(work))
        look_at_source(work);
    look_at_procedures(work);
    look_at_linkage(work);
    look_at_regions(work);
    look_at_switches(work);
    if (work->installed && !work->status)
        compare_map(work);
}

static uint32_t report_registration(look *work)
{
    uint32_t status = prfdata_service_key_open(&work->key, work->map->service, false);

    if (status)
        return prfdata_report_error(&work->report, status, L"Service key");
    if (!work->key.performance) {
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME,
                            L"[%ls] Performance Counters (Not Installed)", work->key.service);
        return ERROR_FILE_NOT_FOUND;
    }
    if (!work->key.ours) {
        show_registration(work);
        show_fault(work, L"registered by another installer");
        return ERROR_ALREADY_EXISTS;
    }
    look_at_registration(work);
    return work->status;
}

uint32_t prfdata_install_status(const prfdata_map *map, const prfdata_install_options *options)
{
    look work = {0};
    uint32_t status;

    work.map = map;
    if (options) {
        work.report.step = options->step;
        work.report.context = options->context;
    }
    if (!prfdata_site_has_service(map)) {
        prfdata_map_report_mistakes(&work.report, map, L"");
        return ERROR_INVALID_PARAMETER;
    }
    status = report_registration(&work);
    prfdata_service_key_close(&work.key);
    prfdata_model_free(work.installed);
    return status;
}
