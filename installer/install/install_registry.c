/* SPDX-License-Identifier: MIT */
/*
 * Implements the steps of an installation that write the registry: the Performance key and its
 * values, Linkage, the event source. prepared.h and registered.h explain the values.
 * Windows only.
 */
#include "install/installing.h"

#include <wchar.h>

#include "service/provider_dll.h"
#include "titles/title_database.h"

static uint32_t create_key(prfdata_installing *work)
{
    uint32_t status;

    if (work->key.performance)
        return ERROR_SUCCESS;
    status = prfdata_service_key_create(&work->key);
    if (status)
        return prfdata_report_error(&work->report, status,
                                    L"The Performance key cannot be created");
    work->key_created = true;
    work->changed = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE,
                        L"Key created: HKLM\\SYSTEM\\CurrentControlSet\\Services\\%ls\\Performance",
                        work->key.service);
    return ERROR_SUCCESS;
}

static void undo_key(prfdata_installing *work)
{
    if (work->key_created && prfdata_service_key_remove(&work->key) == ERROR_SUCCESS)
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Key removed");
}

const prfdata_install_step prfdata_install_key = {create_key, undo_key};

/*
 * Write a value, unless it exists unchanged. values_written has room for the names of all values.
 */
static uint32_t write_value(prfdata_installing *work, const wchar_t *name, DWORD type,
                            const void *data, size_t size)
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

static uint32_t write_text(prfdata_installing *work, const wchar_t *name, const wchar_t *text)
{
    return write_value(work, name, REG_SZ, text, (wcslen(text) + 1) * sizeof *text);
}

static uint32_t write_provider_values(prfdata_installing *work)
{
    const DWORD yes = 1;
    uint32_t status = write_value(work, L"Collect Supports Metadata", REG_DWORD, &yes, sizeof yes);

    if (!status)
        status = write_text(work, L"Open", PRFDATA_PROVIDER_OPEN);
    if (!status)
        status = write_text(work, L"Collect", PRFDATA_PROVIDER_COLLECT);
    if (!status)
        status = write_text(work, L"Close", PRFDATA_PROVIDER_CLOSE);
    return status;
}

/*
 * Write the options, for a later installation that omits them. Write the path of the installer
 * program, for the commands that -Status shows.
 */
static uint32_t write_options(prfdata_installing *work)
{
    uint32_t status = write_text(work, PRFDATA_VALUE_WRITERS, work->wanted.writers);

    if (!status)
        status = write_text(work, PRFDATA_VALUE_ARCH,
                            work->options.arch == PRFDATA_ARCH_X86 ? L"x86" : L"native");
    if (!status && work->options.helper_path)
        status = write_text(work, PRFDATA_VALUE_INSTALLER, work->options.helper_path);
    return status;
}

/*
 * Reports how many earlier maps are dropped and, if `is_written` says that the value Maps was
 * changed, how many are kept.
 */
static void report_earlier_maps(const prfdata_installing *work, bool is_written)
{
    prfdata_maps maps;

    if (is_written && !prfdata_maps_parse(work->maps, work->maps_size, &maps) && maps.count > 1)
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE,
                            L"Earlier versions of the map kept: %lu; their programs are shown, and "
                            L"their counts continue",
                            (unsigned long)(maps.count - 1));
    if (work->maps_dropped > 0)
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Earlier maps dropped: %lu, because at most %d are kept, and none "
                            L"that is damaged or of a later format; what programs of these "
                            L"versions counted is no longer shown",
                            (unsigned long)work->maps_dropped, PRFDATA_MAX_EARLIER_MAPS);
}

static uint32_t write_maps(prfdata_installing *work)
{
    uint32_t status =
        write_value(work, PRFDATA_VALUE_MAPS, REG_BINARY, work->maps, work->maps_size);

    if (!status)
        report_earlier_maps(work, work->values_written[0] != 0); /* only Maps can be in it yet */
    return status;
}

static uint32_t write_values(prfdata_installing *work)
{
    uint32_t status = write_maps(work);

    if (!status)
        status = write_text(work, L"Regions", work->site.regions.path);
    if (!status)
        status = write_options(work);
    if (!status)
        status = write_provider_values(work);
    if (status)
        return status;
    if (work->values_written[0])
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Values written: %ls",
                            work->values_written);
    else
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Values unchanged");
    return ERROR_SUCCESS;
}

static void undo_values(prfdata_installing *work)
{
    uint32_t status;

    if (!work->before.values.values ||
        !(work->values_written[0] || work->titles_unloaded || work->numbers_changed))
        return; /* the key was created and is removed again, or no value was changed */
    status = prfdata_service_key_restore(&work->key, &work->before.values);
    if (work->titles_unloaded) { /* the titles will get new indexes */
        for (const wchar_t *const *name = prfdata_title_database_value_names(); *name; name++)
            prfdata_service_key_delete(&work->key, *name);
    }
    if (status)
        prfdata_report_left(&work->report, status, L"The former values cannot be restored");
    else
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Values as before");
}

const prfdata_install_step prfdata_install_values = {write_values, undo_values};

/*
 * Without the value Library the system does not call the DLL. So Library is written last, when
 * everything else exists.
 */
static uint32_t write_library(prfdata_installing *work)
{
    const size_t before = wcslen(work->values_written);
    uint32_t status = write_text(work, L"Library", work->wanted.dll_copy);

    if (!status && wcslen(work->values_written) > before)
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"DLL registered: %ls",
                            work->wanted.dll_copy);
    return status;
}

static void undo_library(prfdata_installing *work)
{
    (void)work; /* undo_values() restores Library with the other values */
}

const prfdata_install_step prfdata_install_library = {write_library, undo_library};

static uint32_t link_service(prfdata_installing *work)
{
    uint32_t status;

    switch (prfdata_service_key_linkage(&work->key)) {
    case PRFDATA_LINKAGE_OURS:
        return ERROR_SUCCESS;
    case PRFDATA_LINKAGE_FOREIGN:
        /*
         * If another program made the key, the provider takes the name of the service from the name
         * of the DLL.
         */
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
        return prfdata_report_error(&work->report, status, L"The Linkage key cannot be written");
    work->changed = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Service linked: Linkage\\Export");
    return ERROR_SUCCESS;
}

static void undo_link(prfdata_installing *work)
{
    if (work->linked && prfdata_service_key_unlink(&work->key) == ERROR_SUCCESS)
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Linkage removed");
}

const prfdata_install_step prfdata_install_linkage = {link_service, undo_link};

static uint32_t register_source(prfdata_installing *work)
{
    wchar_t name[PRFDATA_EVENT_SOURCE_CHARS];
    uint32_t status;

    prfdata_event_source_name(work->key.service, name);
    switch (prfdata_event_source_look(work->key.service, work->wanted.dll_copy)) {
    case PRFDATA_EVENT_SOURCE_OURS:
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Event source unchanged: %ls", name);
        return ERROR_SUCCESS;
    case PRFDATA_EVENT_SOURCE_FOREIGN:
        /* Another program may have made the key. Event viewers may then show no texts of events. */
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Not created by this installer, left alone: event source %ls", name);
        return ERROR_SUCCESS;
    default:
        break;
    }
    status = prfdata_event_source_register(work->key.service, work->wanted.dll_copy,
                                           &work->source_change);
    if (status)
        return prfdata_report_error(&work->report, status, L"Event source %ls", name);
    work->changed = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Event source registered: %ls", name);
    return ERROR_SUCCESS;
}

static void undo_source(prfdata_installing *work)
{
    if (prfdata_event_source_undo(work->key.service, &work->source_change))
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Event source as before");
}

const prfdata_install_step prfdata_install_source = {register_source, undo_source};
