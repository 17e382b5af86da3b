/* SPDX-License-Identifier: MIT */
/*
 * Windows only. Installing is a table of steps, each with a function that undoes it: if a step
 * fails, it and all steps before it are undone in reverse order. A step changes only what differs,
 * so installing again repairs a registration. What is to be registered is made before
 * (registration.h); this file knows the steps and their order.
 */
#include <prfdata/install.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "core/maps.h"
#include "installer/event_source.h"
#include "installer/provider_dll.h"
#include "installer/region_files.h"
#include "installer/registration.h"
#include "installer/report.h"
#include "installer/service_key.h"
#include "installer/site.h"
#include "installer/title_database.h"
#include "installer/title_report.h"
#include "installer/wine.h"

typedef struct install {
    prfdata_report report;
    prfdata_registration wanted;

    /* what was installed before, and what this installation did */
    prfdata_service_key key;
    prfdata_value_list old_values; /* of the Performance key, if it was ours */
    prfdata_site site;
    void *maps; /* the value `Maps` that will be written */
    size_t maps_bytes;
    bool same_map;
    bool titles_unloaded;
    bool key_created;
    wchar_t values_written[160]; /* their names, separated by commas */
    bool linked;
    prfdata_event_source_change source_change;
    bool titles_loaded;
    bool changed;
} install;

static uint32_t step_failed(const install *work, uint32_t status, const wchar_t *what)
{
    return prfdata_report_error(&work->report, status, L"%ls", what);
}

/* ---- Before the first change ---- */

static uint32_t check_dll_place(const install *work)
{
    return prfdata_registration_check_place(
        &work->wanted, work->wanted.dll, PRFDATA_PROTECTED_FILE,
        L"the DLL and the folders above it",
        L"Windows loads the DLL into privileged programs: put it where only administrators can "
        L"write, for instance in Program Files",
        &work->report);
}

static uint32_t check_elevation(const install *work)
{
    if (prfdata_site_is_elevated())
        return ERROR_SUCCESS;
    prfdata_report_line(&work->report, PRFDATA_STEP_FAILED, L"This needs an elevated prompt");
    return ERROR_ACCESS_DENIED;
}

/* What was registered becomes an earlier map. */
static uint32_t make_maps(install *work)
{
    const prfdata_value *former = prfdata_service_key_find(&work->old_values, L"Maps");
    uint32_t dropped;
    prfdata_maps maps;

    if (former && former->type != REG_BINARY)
        former = NULL;
    work->same_map =
        former && !prfdata_maps_parse(former->data, former->size, &maps) &&
        maps.entries[0].size == work->wanted.map_size &&
        memcmp(maps.entries[0].bytes, work->wanted.map_bytes, work->wanted.map_size) == 0;
    return prfdata_maps_update(work->wanted.model, former ? former->data : NULL,
                               former ? former->size : 0, &work->maps, &work->maps_bytes, &dropped);
}

static uint32_t look_at_installed_key(install *work)
{
    uint32_t status = prfdata_service_key_open(&work->key, work->wanted.map->service, true);

    if (status)
        return step_failed(work, status, L"The service key cannot be opened");
    if (work->key.performance && !work->key.ours)
        return prfdata_report_not_ours(&work->report, work->key.service);
    if (work->key.performance)
        status = prfdata_service_key_save(&work->key, &work->old_values);
    if (status)
        return step_failed(work, status, L"The Performance key cannot be read");
    return make_maps(work);
}

static uint32_t prepare_installation(install *work, const prfdata_map *map,
                                     const prfdata_install_options *options)
{
    uint32_t status = prfdata_registration_make(&work->wanted, map, options, &work->report);

    if (!status)
        status = check_elevation(work);
    if (!status)
        status = check_dll_place(work);
    if (!status)
        status = look_at_installed_key(work);
    return status;
}

/* ---- The folders ---- */

static uint32_t make_folder(install *work, prfdata_directory *folder,
                            const prfdata_directory *parent, const wchar_t *name,
                            const wchar_t *sddl)
{
    bool is_protected = false;
    uint32_t status = prfdata_directory_make(folder, parent, name, sddl);

    if (!status && !folder->created)
        status = prfdata_directory_protect(folder, sddl, &is_protected);
    if (status)
        return prfdata_site_report_folder(&work->report, status, parent->path, name);
    if (folder->created || is_protected) {
        work->changed = true;
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE,
                            folder->created ? L"Folder created: %ls" : L"Folder protected: %ls",
                            folder->path);
    } else {
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Folder unchanged: %ls",
                            folder->path);
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
    uint32_t status = prfdata_site_open_root(&work->site, work->wanted.options->data_path, name);

    if (status)
        return step_failed(work, status, L"The place of the data folder cannot be opened");
    if (work->wanted.options->data_path)
        status = prfdata_registration_check_place(
            &work->wanted, work->site.root.path, PRFDATA_PROTECTED_UPPER,
            L"the folders above the data folder",
            L"Other users could replace the folder of the regions: choose a place where only "
            L"administrators can rename and delete",
            &work->report);
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
                       work->wanted.regions_sddl);
}

static void undo_regions_folder(install *work)
{
    undo_folder(work, &work->site.regions);
}

/* ---- The earlier titles ---- */

static uint32_t unload_old_titles(install *work)
{
    uint32_t status;

    if (!work->key.performance || !prfdata_title_database_is_loaded(&work->key))
        return ERROR_SUCCESS;
    if (work->same_map &&
        prfdata_title_database_verify(&work->key, work->wanted.model) == ERROR_SUCCESS)
        return ERROR_SUCCESS;
    status = prfdata_title_database_unload(&work->key);
    if (status)
        return step_failed(work, status, L"Earlier titles cannot be unloaded");
    work->titles_unloaded = true;
    work->changed = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Earlier titles unloaded");
    return ERROR_SUCCESS;
}

static uint32_t make_ini_path(const install *work, wchar_t *path)
{
    if (swprintf(path, MAX_PATH, L"%ls\\%ls.ini", work->site.data.path, work->key.service) < 0)
        return ERROR_FILENAME_EXCED_RANGE;
    return ERROR_SUCCESS;
}

/* When this runs, the earlier map and title files have been restored. */
static void reload_old_titles(install *work)
{
    const prfdata_value *maps = prfdata_service_key_find(&work->old_values, L"Maps");
    prfdata_model *model = NULL;
    wchar_t path[MAX_PATH];
    uint32_t status = ERROR_FILE_NOT_FOUND;

    if (!work->titles_unloaded)
        return;
    if (maps)
        status = prfdata_maps_present(maps->data, maps->size, &model);
    if (!status)
        status = make_ini_path(work, path);
    if (!status)
        status = prfdata_title_database_load(&work->key, model, path);
    prfdata_model_free(model);
    if (status)
        step_failed(work, status, L"The earlier titles cannot be loaded again");
    else
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Earlier titles loaded again");
}

/* ---- The title files ---- */

static uint32_t write_title_files(install *work)
{
    uint32_t status = ERROR_SUCCESS;

    for (int i = 0; i < PRFDATA_TITLE_FILES && !status; i++) {
        prfdata_title_file *file = &work->wanted.files[i];

        status = prfdata_title_file_write(file, &work->site.data, work->key.service, &work->report);
        if (file->is_written)
            work->changed = true;
    }
    return status;
}

static void undo_title_files(install *work)
{
    for (int i = PRFDATA_TITLE_FILES - 1; i >= 0; i--)
        prfdata_title_file_undo(&work->wanted.files[i], &work->site.data, work->key.service,
                                &work->report);
}

/* ---- The keys ---- */

static uint32_t create_key(install *work)
{
    uint32_t status;

    if (work->key.performance)
        return ERROR_SUCCESS;
    status = prfdata_service_key_create(&work->key);
    if (status)
        return step_failed(work, status, L"The Performance key cannot be created");
    work->key_created = true;
    work->changed = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE,
                        L"Key created: HKLM\\SYSTEM\\CurrentControlSet\\Services\\%ls\\Performance",
                        work->key.service);
    return ERROR_SUCCESS;
}

static void undo_key(install *work)
{
    if (work->key_created && prfdata_service_key_remove(&work->key) == ERROR_SUCCESS)
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Key removed");
}

/* All the names that write_values() passes fit into values_written. */
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

/* Library is written last: without it the system calls nothing. */
static uint32_t write_values(install *work)
{
    const DWORD yes = 1;
    uint32_t status = write_value(work, L"Maps", REG_BINARY, work->maps, work->maps_bytes);

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
        status = write_text(work, L"Library", work->wanted.dll);
    if (status)
        return status;
    if (work->values_written[0])
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Values written: %ls",
                            work->values_written);
    else
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Values unchanged");
    return ERROR_SUCCESS;
}

static void undo_values(install *work)
{
    if (!work->old_values.values || !(work->values_written[0] || work->titles_unloaded))
        return; /* the key was created and is removed, or no value was written */
    prfdata_service_key_restore(&work->key, &work->old_values);
    if (work->titles_unloaded) { /* the titles will get new indexes */
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
        /* The provider then takes the service's name from its file name. */
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Not created by this installer, left alone: Linkage");
        return ERROR_SUCCESS;
    case PRFDATA_LINKAGE_NONE:
        work->linked = true;
        break;
    case PRFDATA_LINKAGE_WRONG:
        break;
    }
    status = prfdata_service_key_link(&work->key);
    if (status)
        return step_failed(work, status, L"The Linkage key cannot be written");
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
    switch (prfdata_event_source_look(work->key.service, work->wanted.dll)) {
    case PRFDATA_EVENT_SOURCE_OURS:
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Event source unchanged: %ls", name);
        return ERROR_SUCCESS;
    case PRFDATA_EVENT_SOURCE_FOREIGN:
        /* Event viewers then show events without their texts. */
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Not created by this installer, left alone: event source %ls", name);
        return ERROR_SUCCESS;
    default:
        break;
    }
    status =
        prfdata_event_source_register(work->key.service, work->wanted.dll, &work->source_change);
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

static uint32_t load_new_titles(install *work)
{
    prfdata_title_range range = {0};
    wchar_t path[MAX_PATH];
    bool loaded = prfdata_title_database_is_loaded(&work->key);
    uint32_t status = ERROR_SUCCESS;

    if (!loaded) {
        status = make_ini_path(work, path);
        if (!status)
            status = prfdata_title_database_load(&work->key, work->wanted.model, path);
        /* Titles that are loaded but wrong must be unloaded again. */
        work->titles_loaded = prfdata_title_database_is_loaded(&work->key);
        if (status)
            return step_failed(work, status, L"Titles cannot be loaded");
        work->changed = true;
    }
    prfdata_title_database_range(&work->key, &range);
    prfdata_report_line(&work->report, loaded ? PRFDATA_STEP_SAME : PRFDATA_STEP_DONE,
                        L"Titles %ls: %lu to %lu%ls", loaded ? L"unchanged" : L"loaded",
                        (unsigned long)range.first_counter, (unsigned long)range.last_help,
                        loaded || !prfdata_wine_is_here()
                            ? L""
                            : L"; only numbers, because under Wine loadperf stores no texts");
    prfdata_title_report_languages(&work->report, &range, work->wanted.model);
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
    void (*undo)(install *work); /* also if `run` failed */
} steps[] = {
    {make_data_folder, undo_data_folder},
    {make_regions_folder, undo_regions_folder},
    {unload_old_titles, reload_old_titles},
    {write_title_files, undo_title_files},
    {create_key, undo_key},
    {write_values, undo_values},
    {link_service, undo_link},
    {register_source, undo_source},
    {load_new_titles, undo_load},
};

static uint32_t run_install_steps(install *work)
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

/* Report what an administrator or the system has switched off; it stays so. */
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

static void report_installed(const install *work)
{
    const prfdata_value *old = prfdata_service_key_find(&work->old_values, L"Regions");

    if (old && old->type == REG_SZ && old->size >= sizeof(wchar_t) &&
        !prfdata_service_key_has(&work->key, L"Regions", REG_SZ, old->data, old->size))
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Previous regions folder left: %.*ls",
                            (int)(old->size / sizeof(wchar_t)), (const wchar_t *)(void *)old->data);
    report_switches(work);
    prfdata_report_line(&work->report, work->changed ? PRFDATA_STEP_DONE : PRFDATA_STEP_SAME,
                        work->changed ? L"Installed" : L"Already installed, nothing to change");
}

static void release_installation(install *work)
{
    prfdata_site_close(&work->site);
    prfdata_service_key_close(&work->key);
    prfdata_service_key_free_values(&work->old_values);
    prfdata_registration_free(&work->wanted);
    free(work->maps);
    free(work);
}

uint32_t prfdata_install(const prfdata_map *map, const prfdata_install_options *options)
{
    static const prfdata_install_options defaults = {0};
    install *work = calloc(1, sizeof *work);
    HANDLE turn;
    uint32_t status;

    if (!work)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (!options)
        options = &defaults;
    work->report.step = options->step;
    work->report.context = options->context;

    turn = prfdata_site_enter();
    status = prepare_installation(work, map, options);
    if (!status)
        status = run_install_steps(work);
    if (!status) {
        prfdata_region_files_sweep(&work->site.regions, &work->report);
        report_installed(work);
    }
    release_installation(work);
    prfdata_site_leave(turn);
    return status;
}
