/* SPDX-License-Identifier: MIT */
/*
 * Installs a service by a table of steps (installing.h), each with a function that undoes it. If a
 * step fails, it and all steps before it are undone in reverse order. A step changes only what
 * differs, so installing again repairs a registration, even one that a killed installer left half
 * done. This file decides the order of the steps. Before the first step, it checks the map, the DLL
 * and the current registration. Windows only.
 */
#include <prfdata/install.h>

#include <stdlib.h>
#include <wchar.h>

#include "install/installing.h"
#include "install/numbering.h"
#include "install/upgrade.h"
#include "service/region_files.h"
#include "titles/former_titles.h"
#include "titles/title_database.h"

static uint32_t check_dll_place(const prfdata_installing *work)
{
    return prfdata_prepared_check_place(
        &work->wanted, work->wanted.dll, PRFDATA_PROTECTED_FILE,
        L"the DLL and the folders above it",
        L"Windows loads the DLL into privileged programs. Put it where only administrators can "
        L"write, for example in Program Files",
        &work->report);
}

static uint32_t look_at_key(prfdata_installing *work)
{
    uint32_t status = prfdata_service_key_open(&work->key, work->wanted.map->service, true);

    if (status)
        return prfdata_report_error(&work->report, status, L"The service key cannot be opened");
    if (work->key.performance && !work->key.ours)
        return prfdata_report_not_ours(&work->report, work->key.service);
    status = prfdata_registered_read(&work->before, &work->key);
    return status
               ? prfdata_report_error(&work->report, status, L"The Performance key cannot be read")
               : ERROR_SUCCESS;
}

/*
 * Makes the new value Maps. If the counts of the registered map continue, that map becomes an
 * earlier one, and its titles keep their numbers.
 */
static uint32_t update_maps(prfdata_installing *work, bool goes_on)
{
    const prfdata_value *former =
        goes_on ? prfdata_service_key_find(&work->before.values, PRFDATA_VALUE_MAPS) : NULL;
    prfdata_title_numbers numbers = {0};
    uint32_t status =
        prfdata_numbering_find(&work->before, &work->key, goes_on, work->wanted.model, &numbers);

    if (!status)
        status = prfdata_maps_update(work->wanted.model, former ? former->data : NULL,
                                     former ? former->size : 0, &numbers, &work->maps,
                                     &work->maps_size, &work->maps_dropped);
    prfdata_title_numbers_free(&numbers);
    if (status == ERROR_NO_SYSTEM_RESOURCES)
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED,
                            L"No numbers for titles are left, because many counters were removed "
                            L"and added. Run -Uninstall, restart Windows, and run -Install");
    return status ? prfdata_report_error(&work->report, status, L"The maps cannot be prepared")
                  : ERROR_SUCCESS;
}

static uint32_t make_maps(prfdata_installing *work)
{
    bool goes_on = false;
    uint32_t status = prfdata_upgrade_check(&work->before, work->wanted.model, work->options.force,
                                            &work->report, &goes_on);

    if (!status)
        status = update_maps(work, goes_on);
    if (!status)
        status = prfdata_prepared_make_title_files(&work->wanted, &work->report);
    return status;
}

static uint32_t look_at_registered(prfdata_installing *work)
{
    uint32_t status = look_at_key(work);

    if (status)
        return status;
    prfdata_registered_complete(&work->before, &work->options);
    status = prfdata_prepared_add_options(&work->wanted, &work->options, &work->report);
    if (!status)
        status = check_dll_place(work);
    return status ? status : make_maps(work);
}

static const prfdata_install_step *const steps[] = {
    &prfdata_install_data_folder, &prfdata_install_regions_folder, &prfdata_install_dll_copy,
    &prfdata_install_unload,      &prfdata_install_title_files,    &prfdata_install_key,
    &prfdata_install_values,      &prfdata_install_linkage,        &prfdata_install_source,
    &prfdata_install_load,        &prfdata_install_library,
};

static uint32_t run_install_steps(prfdata_installing *work)
{
    size_t count = sizeof steps / sizeof steps[0];
    uint32_t status = ERROR_SUCCESS;
    size_t done = 0;

    while (done < count && !status)
        status = steps[done++]->run(work);
    while (status && done > 0)
        steps[--done]->undo(work);
    return status;
}

/* Report the switches that an administrator or the system has turned off; they stay off. */
static void report_switches(const prfdata_installing *work)
{
    DWORD number;

    if (prfdata_service_key_number(&work->key, L"Disable Performance Counters", &number) &&
        number != 0)
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Disabled (%lu): `lodctr /E:\"%ls\"` enables it",
                            (unsigned long)number, work->key.service);
    if (prfdata_service_key_number(&work->key, L"Publish", &number) && number == 0)
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Publishing is switched off: the value Publish is 0");
}

static void report_installed(const prfdata_installing *work)
{
    const wchar_t *former = work->before.regions;

    if (former[0] && _wcsicmp(former, work->site.regions.path) != 0)
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT, L"Previous regions folder left: %ls",
                            former);
    report_switches(work);
    prfdata_report_line(&work->report, work->changed ? PRFDATA_STEP_DONE : PRFDATA_STEP_SAME,
                        work->changed ? L"Installed" : L"Already installed, nothing to change");
}

/*
 * Removes region files from before the last restart, and copies of the DLL that are no longer
 * needed. If the formerly registered DLL was in another folder, also removes the copies there.
 */
static void sweep_files(const prfdata_installing *work)
{
    const wchar_t *copy = work->wanted.dll_copy;
    const wchar_t *former = work->before.dll;
    const size_t folder_chars = (size_t)(wcsrchr(copy, L'\\') - copy) + 1;

    prfdata_region_files_sweep(&work->site.regions, &work->report);
    prfdata_dll_copy_sweep(work->key.service, copy, copy, false, &work->report);
    if (_wcsnicmp(former, copy, folder_chars) != 0 || wcschr(former + folder_chars, L'\\'))
        prfdata_dll_copy_sweep(work->key.service, former, copy, false, &work->report);
}

static void release_installation(prfdata_installing *work)
{
    prfdata_site_close(&work->site);
    prfdata_service_key_close(&work->key);
    prfdata_registered_free(&work->before);
    prfdata_prepared_free(&work->wanted);
    free(work->maps);
    free(work);
}

static void remember_titles(const prfdata_installing *work)
{
    prfdata_value_list values = {0};

    if (prfdata_service_key_save(&work->key, &values) == ERROR_SUCCESS)
        prfdata_former_titles_remember(&work->key, &values, work->wanted.model);
    prfdata_service_key_free_values(&values);
}

static uint32_t install_in_turn(prfdata_installing *work)
{
    HANDLE turn;
    uint32_t status = prfdata_site_enter(&work->report, &turn);

    if (status)
        return status;
    status = look_at_registered(work);
    if (!status)
        status = run_install_steps(work);
    if (!status) {
        remember_titles(work);
        sweep_files(work);
        prfdata_service_key_touch(&work->key);
        report_installed(work);
    }
    prfdata_site_leave(turn);
    return status;
}

uint32_t prfdata_install(const prfdata_map *map, const prfdata_install_options *options)
{
    prfdata_installing *work = calloc(1, sizeof *work);
    uint32_t status;

    if (!work)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (options)
        work->options = *options;
    work->report.step = work->options.step;
    work->report.context = work->options.context;
    prfdata_title_database_languages(&work->wanted.languages);
    status = prfdata_prepared_from_map(&work->wanted, map, &work->report);
    if (!status)
        status = prfdata_site_check_elevation(&work->report);
    if (!status)
        status = prfdata_site_check_bitness(&work->report);
    if (!status)
        status = install_in_turn(work);
    release_installation(work);
    return status;
}
