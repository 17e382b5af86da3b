/* SPDX-License-Identifier: MIT */
/*
 * Windows only. Installing is a table of steps, each with the way back: when one fails, it and all
 * before it are taken back in reverse order. A step looks first and changes only what differs, so
 * installing again repairs.
 */
#include <prfdata/install.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "installer/access_list.h"
#include "installer/event_source.h"
#include "core/map_bytes.h"
#include "core/model.h"
#include "installer/protection.h"
#include "installer/provider_dll.h"
#include "installer/report.h"
#include "installer/service_key.h"
#include "installer/site.h"
#include "installer/title_text.h"
#include "installer/title_database.h"
#include "installer/wine.h"

#define MAX_MISTAKES 10 /* that are told */

/* A title file: what it shall be, and what it was. */
typedef struct title_file {
    const wchar_t *extension;
    void *bytes;
    size_t size;
    void *old_bytes; /* NULL: there was none */
    size_t old_size;
    bool written;
} title_file;

typedef struct install {
    prfdata_report report;
    const prfdata_map *map;
    const prfdata_install_options *options;

    /* what is wanted */
    prfdata_model *model;
    void *map_bytes;
    size_t map_size;
    title_file files[2]; /* .ini, .h */
    wchar_t regions_sddl[PRFDATA_ACCESS_LIST_SDDL_CHARS];
    wchar_t dll[MAX_PATH];

    /* what is there, and what was done */
    prfdata_service_key key;
    prfdata_value_list old_values; /* of a key that was ours before */
    prfdata_site site;
    bool same_map;
    bool titles_unloaded;
    bool key_created;
    wchar_t values_written[160]; /* their names, with commas */
    bool linked;
    prfdata_event_source_change source_change;
    bool titles_loaded;
    bool changed;
} install;

static uint32_t failed(const install *work, uint32_t status, const wchar_t *what)
{
    return prfdata_report_error(&work->report, status, L"%ls", what);
}

/* ---- What is wanted ---- */

static void report_mistakes(const install *work)
{
    prfdata_map_mistake mistakes[MAX_MISTAKES];
    size_t count = prfdata_map_check(work->map, mistakes, MAX_MISTAKES);

    for (size_t i = 0; i < count && i < MAX_MISTAKES; i++) {
        char text[PRFDATA_REPORT_CHARS];
        wchar_t wide[PRFDATA_REPORT_CHARS];

        prfdata_map_mistake_text(&mistakes[i], text, sizeof text);
        MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, PRFDATA_REPORT_CHARS);
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED, L"Map: %ls", wide);
    }
}

static uint32_t encode_map(install *work)
{
    const uint64_t hash = work->model->hash;

    prfdata_map_bytes_encode(work->map, hash, NULL, 0, &work->map_size);
    work->map_bytes = malloc(work->map_size);
    if (!work->map_bytes)
        return ERROR_NOT_ENOUGH_MEMORY;
    return prfdata_map_bytes_encode(work->map, hash, work->map_bytes, work->map_size,
                                    &work->map_size);
}

static uint32_t derive(install *work)
{
    uint32_t status = prfdata_model_make(work->map, &work->model);

    if (status == ERROR_INVALID_PARAMETER) {
        report_mistakes(work);
        return status;
    }
    if (!status)
        status = encode_map(work);
    if (!status)
        status = prfdata_title_text_ini(work->model, &work->files[0].bytes, &work->files[0].size);
    if (!status)
        status =
            prfdata_title_text_header(work->model, &work->files[1].bytes, &work->files[1].size);
    return status ? failed(work, status, L"Map") : ERROR_SUCCESS;
}

static uint32_t check_dll(install *work)
{
    uint16_t wanted = prfdata_provider_dll_machine(work->options->arch);
    uint16_t machine = 0;
    const char *missing = "";
    uint32_t status = prfdata_provider_dll_path(work->map, work->options, work->dll);

    if (status)
        return failed(work, status, L"Provider DLL");
    status = prfdata_provider_dll_inspect(work->dll, &machine, &missing);
    if (status == ERROR_PROC_NOT_FOUND)
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED,
                            L"Not a provider: %ls does not export %hs", work->dll, missing);
    else if (status)
        prfdata_report_error(&work->report, status, L"Provider DLL %ls", work->dll);
    if (status)
        return status;
    if (machine != wanted) {
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED,
                            L"Wrong provider: %ls is for %ls, wanted is %ls", work->dll,
                            prfdata_provider_dll_machine_text(machine),
                            prfdata_provider_dll_machine_text(wanted));
        return ERROR_BAD_EXE_FORMAT;
    }
    prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Provider: %ls (%ls)", work->dll,
                        prfdata_provider_dll_machine_text(machine));
    return ERROR_SUCCESS;
}

static bool is_protection_required(const install *work)
{
    if (work->options->protection == PRFDATA_PROTECTION_DEFAULT)
        return !prfdata_wine_is_here();
    return work->options->protection == PRFDATA_PROTECTION_REQUIRED;
}

/* Tell, or refuse, what ordinary users can exchange. `advice` says what to do. */
static uint32_t check_place(install *work, const wchar_t *path, prfdata_protection_role role,
                            const wchar_t *what, const wchar_t *advice)
{
    wchar_t text[PRFDATA_REPORT_CHARS];
    prfdata_weakness weakness;
    uint32_t status = prfdata_protection_check(path, role, &weakness);

    if (status)
        return prfdata_report_error(&work->report, status, L"Who can change %ls?", path);
    prfdata_protection_text(&weakness, text, PRFDATA_REPORT_CHARS);
    if (weakness.kind == PRFDATA_WEAKNESS_NONE) {
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Protected: %ls", what);
        return ERROR_SUCCESS;
    }
    if (!is_protection_required(work)) {
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT, L"Not protected, %ls: %ls",
                            prfdata_wine_is_here() ? L"as usual under Wine" : L"as allowed", text);
        return ERROR_SUCCESS;
    }
    prfdata_report_line(&work->report, PRFDATA_STEP_FAILED, L"Not protected: %ls", text);
    prfdata_report_line(&work->report, PRFDATA_STEP_FAILED, L"%ls", advice);
    return ERROR_INVALID_ACL;
}

static uint32_t check_protection(install *work)
{
    return check_place(work, work->dll, PRFDATA_PROTECTED_FILE, L"the DLL and the folders above it",
                       L"Windows loads the DLL into privileged programs: put it where only "
                       L"administrators write, for instance in Program Files");
}

static uint32_t check_writers(install *work)
{
    uint32_t status = prfdata_access_list_regions_sddl(work->options->writers, work->regions_sddl);

    if (status)
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED,
                            L"Writers: say Services, Users or SIDs (S-1-...), with commas; not %ls",
                            work->options->writers);
    return status;
}

static uint32_t check_elevation(const install *work)
{
    if (prfdata_site_is_elevated())
        return ERROR_SUCCESS;
    prfdata_report_line(&work->report, PRFDATA_STEP_FAILED, L"This needs an elevated prompt");
    return ERROR_ACCESS_DENIED;
}

static uint32_t look_at_key(install *work)
{
    uint32_t status = prfdata_service_key_open(&work->key, work->map->service, true);

    if (status)
        return failed(work, status, L"Service key");
    if (!work->key.performance)
        return ERROR_SUCCESS;
    if (!work->key.ours)
        return prfdata_report_not_ours(&work->report, work->key.service);
    work->same_map =
        prfdata_service_key_has(&work->key, L"Map", REG_BINARY, work->map_bytes, work->map_size);
    status = prfdata_service_key_save(&work->key, &work->old_values);
    return status ? failed(work, status, L"Performance key") : ERROR_SUCCESS;
}

static uint32_t prepare(install *work)
{
    uint32_t status = derive(work);

    if (!status)
        status = check_writers(work);
    if (!status)
        status = check_dll(work);
    if (!status)
        status = check_elevation(work);
    if (!status)
        status = check_protection(work);
    if (!status)
        status = look_at_key(work);
    return status;
}

/* ---- The folders ---- */

static uint32_t make_folder(install *work, prfdata_directory *folder,
                            const prfdata_directory *parent, const wchar_t *name,
                            const wchar_t *sddl)
{
    bool protected_anew = false;
    uint32_t status = prfdata_directory_make(folder, parent, name, sddl);

    if (!status && !folder->created)
        status = prfdata_directory_protect(folder, sddl, &protected_anew);
    if (status)
        return prfdata_site_report_folder(&work->report, status, parent->path, name);
    if (folder->created || protected_anew) {
        work->changed = true;
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE,
                            folder->created ? L"Folder made: %ls" : L"Folder protected: %ls",
                            folder->path);
    } else {
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Folder there: %ls", folder->path);
    }
    return ERROR_SUCCESS;
}

static void undo_folder(install *work, prfdata_directory *folder)
{
    wchar_t path[MAX_PATH];

    wcscpy(path, folder->path);
    if (prfdata_directory_undo(folder))
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Folder as before: %ls", path);
}

static uint32_t make_data_folder(install *work)
{
    wchar_t name[MAX_PATH];
    uint32_t status = prfdata_site_open_root(&work->site, work->options->data_path, name);

    if (status)
        return failed(work, status, L"Place of the data folder");
    if (work->options->data_path)
        status = check_place(work, work->site.root.path, PRFDATA_PROTECTED_UPPER,
                             L"the folders above the data folder",
                             L"The folder of the regions must stay what it is: choose a place that "
                             L"only administrators rename and delete");
    if (status)
        return status;
    return make_folder(work, &work->site.data, &work->site.root, name,
                       prfdata_access_list_data_sddl());
}

static void undo_data_folder(install *work)
{
    undo_folder(work, &work->site.data);
}

static uint32_t make_regions_folder(install *work)
{
    return make_folder(work, &work->site.regions, &work->site.data, work->key.service,
                       work->regions_sddl);
}

static void undo_regions_folder(install *work)
{
    undo_folder(work, &work->site.regions);
}

/* ---- The titles that were there before ---- */

static uint32_t unload_old_titles(install *work)
{
    uint32_t status;

    if (!work->key.performance || !prfdata_title_database_is_loaded(&work->key))
        return ERROR_SUCCESS;
    if (work->same_map && prfdata_title_database_verify(&work->key, work->model) == ERROR_SUCCESS)
        return ERROR_SUCCESS;
    status = prfdata_title_database_unload(&work->key);
    if (status)
        return failed(work, status, L"Earlier titles cannot be unloaded");
    work->titles_unloaded = true;
    work->changed = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Earlier titles unloaded");
    return ERROR_SUCCESS;
}

static uint32_t file_path(const install *work, const title_file *file, wchar_t *path)
{
    if (swprintf(path, MAX_PATH, L"%ls\\%ls%ls", work->site.data.path, work->key.service,
                 file->extension) < 0)
        return ERROR_FILENAME_EXCED_RANGE;
    return ERROR_SUCCESS;
}

/* By now the earlier map and title files are there again. */
static void reload_old_titles(install *work)
{
    const prfdata_value *map = prfdata_service_key_find(&work->old_values, L"Map");
    prfdata_model *model = NULL;
    wchar_t path[MAX_PATH];
    uint32_t status = ERROR_FILE_NOT_FOUND;

    if (!work->titles_unloaded)
        return;
    if (map)
        status = prfdata_model_from_bytes(map->data, map->size, &model);
    if (!status)
        status = file_path(work, &work->files[0], path);
    if (!status)
        status = prfdata_title_database_load(&work->key, model, path);
    prfdata_model_free(model);
    if (status)
        failed(work, status, L"The earlier titles cannot be loaded again");
    else
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Earlier titles loaded again");
}

/* ---- The title files ---- */

static uint32_t write_title_file(install *work, title_file *file)
{
    wchar_t name[PRFDATA_SITE_NAME_CHARS];
    uint32_t status;

    prfdata_site_title_file(work->key.service, file->extension, name);
    status = prfdata_directory_read_file(&work->site.data, name, &file->old_bytes, &file->old_size);
    if (!status && file->old_size == file->size &&
        memcmp(file->old_bytes, file->bytes, file->size) == 0) {
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Title file there: %ls\\%ls",
                            work->site.data.path, name);
        return ERROR_SUCCESS;
    }
    status = prfdata_directory_write_file(&work->site.data, name, file->bytes, file->size);
    if (status)
        return prfdata_report_error(&work->report, status, L"Title file %ls\\%ls",
                                    work->site.data.path, name);
    file->written = true;
    work->changed = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Title file written: %ls\\%ls",
                        work->site.data.path, name);
    return ERROR_SUCCESS;
}

static uint32_t write_title_files(install *work)
{
    uint32_t status = write_title_file(work, &work->files[0]);

    return status ? status : write_title_file(work, &work->files[1]);
}

static void undo_title_files(install *work)
{
    for (int i = 1; i >= 0; i--) {
        title_file *file = &work->files[i];
        wchar_t name[PRFDATA_SITE_NAME_CHARS];

        if (!file->written)
            continue;
        prfdata_site_title_file(work->key.service, file->extension, name);
        if (file->old_bytes)
            prfdata_directory_write_file(&work->site.data, name, file->old_bytes, file->old_size);
        else
            prfdata_directory_remove_file(&work->site.data, name);
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Title file as before: %ls\\%ls",
                            work->site.data.path, name);
    }
}

/* ---- The keys ---- */

static uint32_t create_key(install *work)
{
    uint32_t status;

    if (work->key.performance)
        return ERROR_SUCCESS;
    status = prfdata_service_key_create(&work->key);
    if (status)
        return failed(work, status, L"Performance key cannot be made");
    work->key_created = true;
    work->changed = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE,
                        L"Key made: HKLM\\SYSTEM\\CurrentControlSet\\Services\\%ls\\Performance",
                        work->key.service);
    return ERROR_SUCCESS;
}

static void undo_key(install *work)
{
    if (work->key_created && prfdata_service_key_remove(&work->key) == ERROR_SUCCESS)
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Key removed");
}

/* `name` is one of the seven below: all of them fit into values_written. */
static uint32_t write_value(install *work, const wchar_t *name, DWORD type, const void *data,
                            size_t size)
{
    uint32_t status;

    if (prfdata_service_key_has(&work->key, name, type, data, size))
        return ERROR_SUCCESS;
    status = prfdata_service_key_set(&work->key, name, type, data, size);
    if (status)
        return prfdata_report_error(&work->report, status, L"Value %ls", name);
    work->changed = true;
    if (work->values_written[0])
        wcscat(work->values_written, L", ");
    wcscat(work->values_written, name);
    return ERROR_SUCCESS;
}

static uint32_t write_text(install *work, const wchar_t *name, const wchar_t *text)
{
    return write_value(work, name, REG_SZ, text, (wcslen(text) + 1) * sizeof *text);
}

/* Library comes last: without it the system calls nothing. */
static uint32_t write_values(install *work)
{
    const DWORD yes = 1;
    uint32_t status = write_value(work, L"Map", REG_BINARY, work->map_bytes, work->map_size);

    if (!status)
        status = write_text(work, L"Regions", work->site.regions.path);
    if (!status)
        status = write_value(work, L"Collect Supports Metadata", REG_DWORD, &yes, sizeof yes);
    if (!status)
        status = write_text(work, L"Open", PRFDATA_PROVIDER_OPEN);
    if (!status)
        status = write_text(work, L"Collect", PRFDATA_PROVIDER_COLLECT);
    if (!status)
        status = write_text(work, L"Close", PRFDATA_PROVIDER_CLOSE);
    if (!status)
        status = write_text(work, L"Library", work->dll);
    if (status)
        return status;
    if (work->values_written[0])
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Values written: %ls",
                            work->values_written);
    else
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Values there");
    return ERROR_SUCCESS;
}

static void undo_values(install *work)
{
    if (!work->old_values.values || !(work->values_written[0] || work->titles_unloaded))
        return; /* the key goes as a whole, or nothing was written */
    prfdata_service_key_restore(&work->key, &work->old_values);
    if (work->titles_unloaded) { /* they get new numbers */
        for (const wchar_t *const *name = prfdata_title_database_value_names(); *name; name++)
            prfdata_service_key_delete(&work->key, *name);
    }
    prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Values as before");
}

static uint32_t link_service(install *work)
{
    uint32_t status;

    switch (prfdata_service_key_linkage(&work->key)) {
    case PRFDATA_LINKAGE_OURS:
        return ERROR_SUCCESS;
    case PRFDATA_LINKAGE_FOREIGN:
        /* The provider then takes the service from its file name. */
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT, L"Not ours, left alone: Linkage");
        return ERROR_SUCCESS;
    case PRFDATA_LINKAGE_NONE:
        work->linked = true;
        break;
    case PRFDATA_LINKAGE_WRONG:
        break;
    }
    status = prfdata_service_key_link(&work->key);
    if (status)
        return failed(work, status, L"Linkage key");
    work->changed = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Service linked: Linkage\\Export");
    return ERROR_SUCCESS;
}

static void undo_link(install *work)
{
    if (work->linked && prfdata_service_key_unlink(&work->key) == ERROR_SUCCESS)
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Linkage removed");
}

/* ---- The event log ---- */

static uint32_t register_source(install *work)
{
    wchar_t name[PRFDATA_EVENT_SOURCE_CHARS];
    uint32_t status;

    prfdata_event_source_name(work->key.service, name);
    switch (prfdata_event_source_look(work->key.service, work->dll)) {
    case PRFDATA_EVENT_SOURCE_OURS:
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Event source there: %ls", name);
        return ERROR_SUCCESS;
    case PRFDATA_EVENT_SOURCE_FOREIGN:
        /* Events then show without their texts. */
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Not ours, left alone: event source %ls", name);
        return ERROR_SUCCESS;
    default:
        break;
    }
    status = prfdata_event_source_register(work->key.service, work->dll, &work->source_change);
    if (status)
        return prfdata_report_error(&work->report, status, L"Event source %ls", name);
    work->changed = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Event source registered: %ls", name);
    return ERROR_SUCCESS;
}

static void undo_source(install *work)
{
    if (prfdata_event_source_undo(work->key.service, &work->source_change))
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Event source as before");
}

/* ---- The titles ---- */

static uint32_t load_titles(install *work)
{
    prfdata_title_range range = {0};
    wchar_t path[MAX_PATH];
    bool loaded = prfdata_title_database_is_loaded(&work->key);
    uint32_t status = ERROR_SUCCESS;

    if (!loaded) {
        status = file_path(work, &work->files[0], path);
        if (!status)
            status = prfdata_title_database_load(&work->key, work->model, path);
        /* Loaded but wrong, they must go again. */
        work->titles_loaded = prfdata_title_database_is_loaded(&work->key);
        if (status)
            return failed(work, status, L"Titles cannot be loaded");
        work->changed = true;
    }
    prfdata_title_database_range(&work->key, &range);
    prfdata_report_line(&work->report, loaded ? PRFDATA_STEP_SAME : PRFDATA_STEP_DONE,
                        L"Titles %ls: %lu to %lu%ls", loaded ? L"there" : L"loaded",
                        (unsigned long)range.first_counter, (unsigned long)range.last_help,
                        loaded || !prfdata_wine_is_here()
                            ? L""
                            : L", numbers only: under Wine loadperf stores no texts");
    return ERROR_SUCCESS;
}

static void undo_load(install *work)
{
    if (work->titles_loaded && prfdata_title_database_unload(&work->key) == ERROR_SUCCESS)
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Titles unloaded");
}

/* ---- The whole ---- */

static const struct {
    uint32_t (*run)(install *work);
    void (*undo)(install *work); /* also after a failure half-way */
} steps[] = {
    {make_data_folder, undo_data_folder},
    {make_regions_folder, undo_regions_folder},
    {unload_old_titles, reload_old_titles},
    {write_title_files, undo_title_files},
    {create_key, undo_key},
    {write_values, undo_values},
    {link_service, undo_link},
    {register_source, undo_source},
    {load_titles, undo_load},
};

static uint32_t run_steps(install *work)
{
    size_t count = sizeof steps / sizeof steps[0];
    uint32_t status = ERROR_SUCCESS;
    size_t done = 0;

    while (done < count && !status)
        status = steps[done++].run(work);
    while (status && done > 0)
        steps[--done].undo(work);
    return status;
}

/* What the administrator or the system decided stays; it is told. */
static void report_switches(const install *work)
{
    DWORD number;

    if (prfdata_service_key_number(&work->key, L"Disable Performance Counters", &number) &&
        number != 0)
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Disabled (%lu): `lodctr /E:%ls` enables it", (unsigned long)number,
                            work->key.service);
    if (prfdata_service_key_number(&work->key, L"Publish", &number) && number == 0)
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Publishing is switched off: the value Publish is 0");
}

static void report_end(const install *work)
{
    const prfdata_value *old = prfdata_service_key_find(&work->old_values, L"Regions");

    if (old && old->type == REG_SZ && old->size >= sizeof(wchar_t) &&
        !prfdata_service_key_has(&work->key, L"Regions", REG_SZ, old->data, old->size))
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT, L"Former folder left: %.*ls",
                            (int)(old->size / sizeof(wchar_t)), (const wchar_t *)(void *)old->data);
    report_switches(work);
    prfdata_report_line(&work->report, work->changed ? PRFDATA_STEP_DONE : PRFDATA_STEP_SAME,
                        work->changed ? L"Installed" : L"Installed already, nothing to change");
}

static void release(install *work)
{
    prfdata_site_close(&work->site);
    prfdata_service_key_close(&work->key);
    prfdata_service_key_free_values(&work->old_values);
    for (int i = 0; i < 2; i++) {
        free(work->files[i].bytes);
        free(work->files[i].old_bytes);
    }
    free(work->map_bytes);
    prfdata_model_free(work->model);
}

uint32_t prfdata_install(const prfdata_map *map, const prfdata_install_options *options)
{
    static const prfdata_install_options defaults = {0};
    install *work = calloc(1, sizeof *work);
    HANDLE turn;
    uint32_t status;

    if (!work)
        return ERROR_NOT_ENOUGH_MEMORY;
    work->map = map;
    work->options = options ? options : &defaults;
    work->report.step = work->options->step;
    work->report.context = work->options->context;
    work->files[0].extension = L".ini";
    work->files[1].extension = L".h";

    turn = prfdata_site_enter();
    status = prepare(work);
    if (!status)
        status = run_steps(work);
    if (!status)
        report_end(work);
    release(work);
    prfdata_site_leave(turn);
    free(work);
    return status;
}
