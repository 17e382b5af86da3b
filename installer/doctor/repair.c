/* SPDX-License-Identifier: MIT */
/*
 * Runs the safe commands of the findings of -Status, each once, and examines again. The doctor
 * makes the findings (doctor.h). Windows only.
 */
#include <prfdata/install.h>

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "doctor/doctor.h"
#include "report/map_report.h"
#include "report/report.h"
#include "service/event_source.h"
#include "service/region_files.h"
#include "service/site.h"
#include "titles/former_titles.h"
#include "titles/title_database.h"
#include "titles/title_range.h"

enum { KEY_PERFORMANCE, KEY_LINKAGE, KEY_SOURCE, KEY_COUNT };

typedef struct repair {
    const prfdata_map *map;
    prfdata_install_options options;
    prfdata_report report;
    prfdata_doctor doctor;
    prfdata_service_key key;              /* for writing */
    prfdata_value_list before[KEY_COUNT]; /* the values before the first fix */
    bool was_tried[PRFDATA_FIX_COUNT];
} repair;

enum { SHOWN_CHARS = 300 };

/* Leave out reports about what is unchanged. Installing makes many of them. */
static void pass_changes_on(void *context, prfdata_step kind, const wchar_t *line)
{
    const repair *work = context;

    if (kind != PRFDATA_STEP_SAME && work->options.step)
        work->options.step(work->options.context, kind, line);
}

static uint32_t install_again(repair *work)
{
    prfdata_install_options options = work->options;

    options.step = pass_changes_on;
    options.context = work;
    return prfdata_install(work->map, &options);
}

static uint32_t reload_titles(repair *work)
{
    uint32_t status = ERROR_SUCCESS;

    prfdata_former_titles_remember(&work->key, &work->doctor.values, work->doctor.installed);
    if (prfdata_title_range_correct(&work->key, work->doctor.installed) ==
        PRFDATA_TITLE_RANGE_RIGHT)
        status = prfdata_title_database_unload(&work->key);
    return status ? status : install_again(work);
}

/* Set the value that lodctr /E would set, because lodctr does nothing under Wine. */
static uint32_t enable_provider(repair *work)
{
    const DWORD no = 0;

    return prfdata_service_key_set(&work->key, L"Disable Performance Counters", REG_DWORD, &no,
                                   sizeof no);
}

static uint32_t forget_validation_code(repair *work)
{
    return prfdata_service_key_delete(&work->key, L"Library Validation Code");
}

static uint32_t sweep_other_boots(repair *work)
{
    prfdata_site site = {0};
    wchar_t path[MAX_PATH];
    uint32_t status = ERROR_FILE_NOT_FOUND;

    if (prfdata_service_key_text(&work->key, L"Regions", path, MAX_PATH))
        status = prfdata_site_open(&site, NULL, path, work->key.service);
    if (!status)
        prfdata_region_files_sweep(&site.regions, &work->report);
    prfdata_site_close(&site);
    return status;
}

/* Write only the value `Regions`. Installing would also replace the registered map. */
static uint32_t name_folder(repair *work, const wchar_t *path)
{
    return prfdata_service_key_set(&work->key, L"Regions", REG_SZ, path,
                                   (wcslen(path) + 1) * sizeof *path);
}

/*
 * Makes the value `Regions` name the default folder, because programs publish there. The folder is
 * checked again, and stays open until the end, so that nobody replaces it. If this program has
 * another map than the registered one, only the value is written. Otherwise the program installs
 * again. Installing corrects the folders and files before it sets the value, and restores the value
 * if a later step fails.
 */
static uint32_t restore_folder(repair *work)
{
    const wchar_t *const given = work->options.data_path;
    wchar_t path[MAX_PATH], data[MAX_PATH];
    prfdata_site site = {0};
    uint32_t status = prfdata_directory_program_data(data);

    if (status)
        return status;
    if (wcslen(data) + wcslen(work->key.service) + 10 >= MAX_PATH)
        return ERROR_FILENAME_EXCED_RANGE;
    wcscat(data, L"\\PrfData");
    (void)swprintf(path, MAX_PATH, L"%ls\\%ls", data, work->key.service);
    if (!prfdata_doctor_own_open(&work->doctor, path, &site))
        return ERROR_INVALID_OWNER;
    if (work->doctor.map_difference) {
        status = name_folder(work, path);
    } else {
        work->options.data_path = data;
        status = install_again(work);
        work->options.data_path = given;
    }
    prfdata_site_close(&site);
    return status;
}

static uint32_t move_folder_back(repair *work)
{
    return prfdata_doctor_moved_back(&work->doctor);
}

/*
 * The actions, in the order in which they run. install_again() is left out if reload_titles() runs,
 * because reload_titles() also installs. The report of an action is the command of the finding. If
 * that command is -Repair itself, or if cmd cannot pass on a name in it, the report is `what`.
 */
static const struct {
    prfdata_fix fix;
    bool is_own; /* the command is -Repair itself */
    const wchar_t *what;
    uint32_t (*run)(repair *work);
} runs[] = {
    {PRFDATA_FIX_MOVE_BACK, true, L"Regions folder renamed back", move_folder_back},
    {PRFDATA_FIX_RESTORE_FOLDER, true, L"Regions folder corrected", restore_folder},
    {PRFDATA_FIX_FORGET_CODE, false, L"Library Validation Code removed", forget_validation_code},
    {PRFDATA_FIX_RELOAD_TITLES, true, L"Titles corrected", reload_titles},
    {PRFDATA_FIX_INSTALL, false, L"Installed again", install_again},
    {PRFDATA_FIX_ENABLE, false, L"Provider enabled", enable_provider},
    {PRFDATA_FIX_SWEEP, true, L"Region files from before the last restart removed",
     sweep_other_boots},
};

static const prfdata_finding *find_safe_fix(const repair *work, prfdata_fix fix)
{
    for (size_t i = 0; i < work->doctor.diagnosis.findings.count; i++) {
        const prfdata_finding *finding = &work->doctor.diagnosis.findings.items[i];

        if (finding->fix == fix && finding->is_safe)
            return finding;
    }
    return NULL;
}

static uint32_t run_safe_fixes(repair *work)
{
    uint32_t failed = ERROR_SUCCESS;

    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        const prfdata_finding *finding = find_safe_fix(work, runs[i].fix);
        bool has_command;
        const wchar_t *what;
        uint32_t status;

        if (!finding ||
            (runs[i].fix == PRFDATA_FIX_INSTALL && find_safe_fix(work, PRFDATA_FIX_RELOAD_TITLES)))
            continue;
        has_command = !runs[i].is_own && finding->command && finding->command[0];
        what = has_command ? finding->command : runs[i].what;
        work->was_tried[runs[i].fix] = true;
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Found: %ls", finding->what);
        status = runs[i].run(work);
        if (status)
            failed = prfdata_report_error(&work->report, status, L"%ls", what);
        else
            prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"%ls%ls",
                                has_command ? L"Run: " : L"", what);
    }
    return failed;
}

static uint32_t check_that_repair_may_run(const repair *work)
{
    switch (work->doctor.diagnosis.state) {
    case PRFDATA_DIAGNOSIS_NOT_INSTALLED:
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED,
                            L"Not installed: -Repair fixes what -Install created");
        return ERROR_FILE_NOT_FOUND;
    case PRFDATA_DIAGNOSIS_FOREIGN:
        return prfdata_report_not_ours(&work->report, work->doctor.diagnosis.service);
    default:
        return ERROR_SUCCESS;
    }
}

/*
 * A text of the registry may lack a NUL, and may contain anything. Of a list of texts
 * (REG_MULTI_SZ), only the first text is shown.
 */
static void show_text_value(const prfdata_value *value, wchar_t *shown)
{
    size_t chars = value->size / sizeof(wchar_t), used = 0;

    shown[used++] = L'"';
    for (size_t i = 0; i < chars && used < SHOWN_CHARS - 2; i++) {
        wchar_t c;

        memcpy(&c, value->data + i * sizeof c, sizeof c);
        if (c == 0)
            break;
        shown[used++] = c;
    }
    shown[used++] = L'"';
    shown[used] = 0;
}

/* `value` is NULL if it is absent. */
static void show_value(const prfdata_value *value, wchar_t *shown)
{
    DWORD number;

    if (!value) {
        wcscpy(shown, L"absent");
    } else if (value->type == REG_SZ || value->type == REG_EXPAND_SZ ||
               value->type == REG_MULTI_SZ) {
        show_text_value(value, shown);
    } else if (value->type == REG_DWORD && value->size == sizeof number) {
        memcpy(&number, value->data, sizeof number);
        (void)swprintf(shown, SHOWN_CHARS, L"%lu", (unsigned long)number);
    } else {
        (void)swprintf(shown, SHOWN_CHARS, L"%lu bytes of type %lu", (unsigned long)value->size,
                       (unsigned long)value->type);
    }
}

static bool is_same_value(const prfdata_value *one, const prfdata_value *other)
{
    if (!one || !other)
        return one == other;
    return one->type == other->type && one->size == other->size &&
           memcmp(one->data, other->data, one->size) == 0;
}

/* `key` is the prefix of the name, for example "Linkage\\". */
static void report_change(const repair *work, const wchar_t *key, const wchar_t *name,
                          const prfdata_value *before, const prfdata_value *after)
{
    wchar_t was[SHOWN_CHARS], is[SHOWN_CHARS];

    if (is_same_value(before, after))
        return;
    show_value(before, was);
    show_value(after, is);
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Value %ls%ls: was %ls, is %ls%ls", key,
                        name, was, is,
                        wcscmp(was, is) == 0 ? L" with another content or type" : L"");
}

/*
 * Report every changed value, whichever command changed it, so that the record of the changes is
 * complete.
 */
static void report_changes(const repair *work, const wchar_t *key, const prfdata_value_list *before,
                           const prfdata_value_list *after)
{
    for (size_t i = 0; i < before->count; i++)
        report_change(work, key, before->values[i].name, &before->values[i],
                      prfdata_service_key_find(after, before->values[i].name));
    for (size_t i = 0; i < after->count; i++)
        if (!prfdata_service_key_find(before, after->values[i].name))
            report_change(work, key, after->values[i].name, NULL, &after->values[i]);
}

/* A key that cannot be read counts as one without values, like an absent key. */
static void save_all_values(const prfdata_doctor *doctor, prfdata_value_list *values)
{
    memset(values, 0, KEY_COUNT * sizeof *values);
    (void)prfdata_service_key_save(&doctor->key, &values[KEY_PERFORMANCE]);
    (void)prfdata_service_key_save_linkage(&doctor->key, &values[KEY_LINKAGE]);
    (void)prfdata_event_source_save(doctor->key.service, &values[KEY_SOURCE]);
}

static void free_all_values(prfdata_value_list *values)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        prfdata_service_key_free_values(&values[i]);
}

static void report_all_changes(const repair *work)
{
    wchar_t source[PRFDATA_EVENT_SOURCE_CHARS + 1];
    prfdata_value_list after[KEY_COUNT];

    save_all_values(&work->doctor, after);
    prfdata_event_source_name(work->doctor.key.service, source);
    wcscat(source, L"\\");
    report_changes(work, L"", &work->before[KEY_PERFORMANCE], &after[KEY_PERFORMANCE]);
    report_changes(work, L"Linkage\\", &work->before[KEY_LINKAGE], &after[KEY_LINKAGE]);
    report_changes(work, source, &work->before[KEY_SOURCE], &after[KEY_SOURCE]);
    free_all_values(after);
}

/*
 * Returns whether to show the command of a finding. It is not shown if it was just tried, because
 * then it did not help. Nor is -Repair shown, because it would only try the same commands again.
 */
static bool is_advice(const repair *work, const prfdata_finding *finding)
{
    return finding->command && finding->command[0] && !work->was_tried[finding->fix] &&
           !wcsstr(finding->command, L" -Repair ");
}

static void report_remaining(const repair *work)
{
    const prfdata_diagnosis *diagnosis = &work->doctor.diagnosis;

    for (size_t i = 0; i < diagnosis->findings.count; i++) {
        const prfdata_finding *finding = &diagnosis->findings.items[i];

        if (finding->severity != PRFDATA_DIAGNOSIS_WRONG)
            continue;
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED, L"Still wrong: %ls", finding->what);
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"    %ls",
                            is_advice(work, finding) ? finding->command : finding->why);
    }
    if (prfdata_diagnosis_wrong_count(diagnosis) == 0)
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Nothing is wrong now");
}

static uint32_t examine_and_run_fixes(repair *work)
{
    uint32_t status = prfdata_doctor_examine(&work->doctor, work->map, &work->options);

    if (!status)
        status = check_that_repair_may_run(work);
    if (status)
        return status;
    status = prfdata_service_key_open(&work->key, work->map->service, true);
    if (status)
        return prfdata_report_error(&work->report, status, L"The service key cannot be opened");
    save_all_values(&work->doctor, work->before);
    (void)run_safe_fixes(work); /* a failed fix shows as a finding again */
    prfdata_service_key_touch(&work->key);
    prfdata_service_key_close(&work->key);
    return ERROR_SUCCESS;
}

/*
 * The findings must still hold while they are fixed, so other installers wait. prfdata_install()
 * takes the turn once more, which the same thread may do.
 */
static uint32_t repair_in_turn(repair *work)
{
    HANDLE turn;
    uint32_t status = prfdata_site_enter(&work->report, &turn);

    if (status)
        return status;
    status = examine_and_run_fixes(work);
    prfdata_site_leave(turn);
    return status;
}

static uint32_t look_again(repair *work)
{
    uint32_t status;

    prfdata_doctor_done(&work->doctor);
    status = prfdata_doctor_examine(&work->doctor, work->map, &work->options);
    if (status)
        return status;
    report_all_changes(work);
    report_remaining(work);
    return prfdata_doctor_verdict(&work->doctor);
}

uint32_t prfdata_repair(const prfdata_map *map, const prfdata_install_options *options)
{
    repair work = {0};
    uint32_t status;

    work.map = map;
    if (options)
        work.options = *options;
    work.report.step = work.options.step;
    work.report.context = work.options.context;
    if (!prfdata_site_has_service(map)) {
        prfdata_map_report_mistakes(&work.report, map, L"");
        return ERROR_INVALID_PARAMETER;
    }
    status = prfdata_site_check_elevation(&work.report);
    if (status)
        return status;
    status = repair_in_turn(&work);
    if (!status)
        status = look_again(&work);
    prfdata_doctor_done(&work.doctor);
    free_all_values(work.before);
    return status;
}
