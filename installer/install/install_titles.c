/* SPDX-License-Identifier: MIT */
/*
 * Implements the steps of an installation that change the title database. Unchanged titles are not
 * loaded again, so their indexes stay. title_database.c loads titles. Windows only.
 */
#include "install/installing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/wide_format.h"
#include "titles/former_titles.h"
#include "titles/title_database.h"
#include "titles/title_range.h"
#include "titles/title_report.h"
#include "titles/title_text.h"
#include "windows/plain_file.h"
#include "windows/wine.h"

#define MAX_INI_BYTES (64u * 1024 * 1024)

static bool is_same_file(uint32_t status, void *text, size_t size, const prfdata_title_file *file)
{
    const bool same = !status && size == file->size && memcmp(text, file->bytes, size) == 0;

    free(text);
    return same;
}

static bool has_same_titles(const prfdata_installing *work)
{
    const prfdata_title_file *files = work->wanted.files;
    const prfdata_model *model = work->before.model;
    void *text = NULL;
    size_t size = 0;
    uint32_t status;

    if (!model)
        return false;
    status = prfdata_title_text_ini(model, &work->wanted.languages, &text, &size);
    if (!is_same_file(status, text, size, &files[0]))
        return false;
    text = NULL;
    status = prfdata_title_text_header(model, &text, &size);
    return is_same_file(status, text, size, &files[1]);
}

static void report_range(prfdata_installing *work, prfdata_title_range_state state)
{
    if (state == PRFDATA_TITLE_RANGE_RIGHT)
        return;
    work->changed = true;
    work->numbers_changed = true;
    if (state == PRFDATA_TITLE_RANGE_CORRECTED)
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE,
                            L"Numbers of the titles corrected: First Counter, Last Counter, First "
                            L"Help, Last Help");
    else
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Earlier titles not unloaded: First Counter and the numbers next to "
                            L"it do not belong to the titles of this service, and are removed");
}

static uint32_t make_ini_path(const prfdata_installing *work, wchar_t *path)
{
    if (prfdata_wide_format(path, MAX_PATH, L"%ls\\%ls.ini", work->site.data.path,
                            work->key.service) < 0)
        return ERROR_FILENAME_EXCED_RANGE;
    return ERROR_SUCCESS;
}

/*
 * Returns whether the titles were loaded from a file with the same content as the new one. The two
 * files then have the same languages.
 */
static bool has_loaded_file(const prfdata_installing *work)
{
    wchar_t path[MAX_PATH];
    void *text = NULL;
    size_t size = 0;
    uint32_t status = make_ini_path(work, path);

    if (!status)
        status = prfdata_plain_file_read(path, FILE_FLAG_OPEN_REPARSE_POINT, MAX_INI_BYTES, &text,
                                         &size);
    return is_same_file(status, text, size, &work->wanted.files[0]);
}

static bool is_english_loaded(const prfdata_installing *work)
{
    prfdata_title_range range;
    DWORD index;

    return prfdata_title_database_range(&work->key, &range) &&
           (prfdata_wine_is_here() ||
            prfdata_title_database_look(PRFDATA_TITLE_ENGLISH, &range, work->wanted.model,
                                        &index) == PRFDATA_TITLES_THERE);
}

/*
 * Returns whether the titles are as complete as possible. Windows may have left out a language
 * other than English. Loading the titles again would not add it, and might change all indexes.
 */
static bool are_titles_loaded(const prfdata_installing *work)
{
    switch (prfdata_title_database_verify(&work->key, work->wanted.model)) {
    case ERROR_SUCCESS:
        return true;
    case ERROR_RESOURCE_LANG_NOT_FOUND:
        return is_english_loaded(work) && has_loaded_file(work);
    default:
        return false;
    }
}

/*
 * Unloads the earlier titles if they belong to this service. They stay if they are the same as the
 * new ones and are loaded as completely as possible.
 */
static uint32_t unload_old_titles(prfdata_installing *work)
{
    uint32_t status;

    if (!work->key.performance || !prfdata_title_database_is_loaded(&work->key))
        return ERROR_SUCCESS;
    prfdata_former_titles_remember(&work->key, &work->before.values, work->before.model);
    report_range(work, prfdata_title_range_correct(&work->key, work->before.model));
    if (!prfdata_title_database_is_loaded(&work->key))
        return ERROR_SUCCESS;
    if (has_same_titles(work) && are_titles_loaded(work))
        return ERROR_SUCCESS;
    status = prfdata_title_database_unload(&work->key);
    if (status)
        return prfdata_report_error(&work->report, status, L"Earlier titles cannot be unloaded");
    work->titles_unloaded = true;
    work->changed = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Earlier titles unloaded");
    return ERROR_SUCCESS;
}

/*
 * Loads the earlier titles again. Before this runs, the earlier map and title files have been
 * restored.
 */
static void reload_old_titles(prfdata_installing *work)
{
    wchar_t path[MAX_PATH];
    uint32_t status = ERROR_FILE_NOT_FOUND;

    if (!work->titles_unloaded)
        return;
    if (work->before.model)
        status = make_ini_path(work, path);
    if (!status)
        status = prfdata_title_database_load(&work->key, work->before.model, path);
    if (status)
        prfdata_report_error(&work->report, status, L"The earlier titles cannot be loaded again");
    else
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Earlier titles loaded again");
}

const prfdata_install_step prfdata_install_unload = {unload_old_titles, reload_old_titles};

/* `was_loaded`: the titles were loaded before this installation. */
static uint32_t correct_object_list(prfdata_installing *work, bool was_loaded)
{
    bool is_changed;
    uint32_t status =
        prfdata_title_database_correct_list(&work->key, work->wanted.model, &is_changed);

    if (status)
        return prfdata_report_error(&work->report, status, L"Value %ls", L"Object List");
    if (!is_changed || !was_loaded)
        return ERROR_SUCCESS;
    work->changed = true;
    work->numbers_changed = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Value corrected: Object List");
    return ERROR_SUCCESS;
}

static uint32_t load_new_titles(prfdata_installing *work)
{
    prfdata_title_range range = {0};
    wchar_t path[MAX_PATH];
    bool loaded = prfdata_title_database_is_loaded(&work->key);
    uint32_t status = ERROR_SUCCESS;

    if (!loaded) {
        status = make_ini_path(work, path);
        if (!status)
            status = prfdata_title_database_load(&work->key, work->wanted.model, path);
        /* Titles that are loaded but incorrect must be unloaded again. */
        work->titles_loaded = prfdata_title_database_is_loaded(&work->key);
        if (status)
            return prfdata_report_error(&work->report, status, L"Titles cannot be loaded");
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
    return correct_object_list(work, loaded);
}

static void undo_load(prfdata_installing *work)
{
    if (work->titles_loaded && prfdata_title_database_unload(&work->key) == ERROR_SUCCESS)
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Titles unloaded");
}

const prfdata_install_step prfdata_install_load = {load_new_titles, undo_load};
