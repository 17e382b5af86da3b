/* SPDX-License-Identifier: MIT */
/*
 * Examines the files in the regions folder: which programs publish, which of them are not shown and
 * why, and what ended programs left. Everything in a file may be invalid. Windows only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "diagnosis/region_look.h"
#include "doctor/doctor.h"
#include "region/region.h"
#include "system/os_name.h"
#include "windows/account.h"
#include "windows/file_users.h"
#include "windows/system_text.h"

enum { WORDS_CHARS = 256, WHO_CHARS = MAX_PATH + 64 };

/*
 * For at most this many files, the system is asked which process has the file open. Each answer
 * takes some milliseconds.
 */
enum { MOST_QUESTIONS = 64 };

/*
 * A program that opens its counters has an unfinished region for a moment, so such a region is
 * examined again after a pause.
 */
enum { UNFINISHED_PAUSES = 10, UNFINISHED_PAUSE_MS = 100 };

typedef struct region_walk {
    prfdata_doctor *doctor;
    prfdata_os_directory *directory;
    uint64_t boot;
    wchar_t folder[MAX_PATH];
    uint64_t bytes; /* size of all regions of this boot */
    /* the memory that readers could need to convert the regions of running programs */
    uint64_t most_copy_bytes;
    /* number of instances that readers show, by the index of the object in the installed map */
    uint64_t instances[PRFDATA_MAX_OBJECTS];
    /*
     * how many pauses are left; all files share them, so that many unfinished files do not take
     * long
     */
    int pauses_left;
    int questions_left;
    unsigned long denied_count;
    /* The first file that cannot be opened, and the reason. */
    wchar_t denied[PRFDATA_OS_NAME_BYTES];
    uint32_t denied_status;
} region_walk;

static void make_region_path(const region_walk *walk, const prfdata_os_name *name, wchar_t *path)
{
    path[0] = 0;
    (void)swprintf(path, 2 * MAX_PATH, L"%ls\\%hs", walk->folder, name->text);
    path[2 * MAX_PATH - 1] = 0;
}

static void find_program(uint32_t process_id, wchar_t *path)
{
    DWORD chars = MAX_PATH;
    HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, process_id);

    path[0] = 0;
    if (!process)
        return;
    if (!QueryFullProcessImageNameW(process, 0, path, &chars))
        path[0] = 0;
    CloseHandle(process);
}

/*
 * If only the region names the process, `who` says so, because the owner of the region could have
 * written any process id.
 */
static void name_process(const prfdata_diagnosis_process *process, wchar_t *who)
{
    (void)swprintf(who, WHO_CHARS, L"%lsprocess %lu (%ls)",
                   process->is_said ? L"a program that says it is " : L"",
                   (unsigned long)process->process_id,
                   process->program[0] ? process->program : L"?");
    who[WHO_CHARS - 1] = 0;
}

/* `end_id` is the process that the command of the fix END_PROGRAM ends; 0: there is no command. */
static void report_hidden_process(prfdata_doctor *doctor, const prfdata_region_look *look,
                                  const prfdata_diagnosis_process *process, uint32_t end_id)
{
    static const prfdata_finding_id findings[] = {
        [PRFDATA_REGION_LOOK_UNKNOWN_MAP] = PRFDATA_FINDING_PROCESS_UNKNOWN_MAP,
        [PRFDATA_REGION_LOOK_OTHER_FORMAT] = PRFDATA_FINDING_PROCESS_OTHER_FORMAT,
        [PRFDATA_REGION_LOOK_DAMAGED] = PRFDATA_FINDING_PROCESS_DAMAGED,
        [PRFDATA_REGION_LOOK_UNFINISHED] = PRFDATA_FINDING_PROCESS_UNFINISHED,
        [PRFDATA_REGION_LOOK_CLOSED] = PRFDATA_FINDING_PROCESS_CLOSED,
    };
    wchar_t who[WHO_CHARS];

    if (look->state == PRFDATA_REGION_LOOK_SHOWN)
        return;
    if (look->state == PRFDATA_REGION_LOOK_UNKNOWN_MAP && !doctor->installed)
        return; /* no map is known, which is a finding of its own; the program is not at fault */
    name_process(process, who);
    prfdata_diagnosis_add_process_finding(
        &doctor->diagnosis, findings[look->state], end_id,
        look->state == PRFDATA_REGION_LOOK_UNFINISHED ? process->file : who);
}

static void report_dropped(prfdata_doctor *doctor, const prfdata_diagnosis_process *process)
{
    wchar_t number[24], who[WHO_CHARS];

    if (process->dropped == 0 || !process->is_shown)
        return;
    (void)swprintf(number, 24, L"%llu", (unsigned long long)process->dropped);
    name_process(process, who);
    prfdata_diagnosis_add_process_finding(&doctor->diagnosis, PRFDATA_FINDING_PROCESS_DROPPED,
                                          process->process_id, who, number);
}

static void add_live_region(region_walk *walk, const prfdata_os_name *name,
                            const prfdata_region_look *look)
{
    wchar_t program[MAX_PATH], account[PRFDATA_ACCOUNT_CHARS], path[2 * MAX_PATH];
    wchar_t file[PRFDATA_OS_NAME_BYTES];
    prfdata_diagnosis_process process = {.process_id = look->process_id, .is_said = true};

    make_region_path(walk, name, path);
    if (walk->questions_left-- > 0)
        process.is_said = !prfdata_file_users_check(path, &process.process_id);
    find_program(process.process_id, program);
    prfdata_account_file_owner(path, account);
    (void)swprintf(file, PRFDATA_OS_NAME_BYTES, L"%hs", name->text);
    process.program = program;
    process.account = account;
    process.file = file;
    process.version = look->version;
    process.map_hash = look->map_hash;
    process.object_count = look->object_count;
    process.instance_count = look->instance_count;
    process.dropped = look->dropped;
    process.bytes = look->bytes;
    process.is_shown = look->state == PRFDATA_REGION_LOOK_SHOWN && walk->doctor->installed;
    prfdata_diagnosis_add_process(&walk->doctor->diagnosis, &process);
    report_hidden_process(
        walk->doctor, look, &process,
        prfdata_account_may_have_made(process.process_id, path) ? process.process_id : 0);
    report_dropped(walk->doctor, &process);
}

static void note_denied_file(region_walk *walk, const prfdata_os_name *name, uint32_t status)
{
    if (status == ERROR_FILE_NOT_FOUND) /* the file was deleted meanwhile */
        return;
    if (walk->denied_count++ > 0)
        return;
    walk->denied_status = status;
    (void)swprintf(walk->denied, PRFDATA_OS_NAME_BYTES, L"%hs", name->text);
}

static void report_denied_files(const region_walk *walk)
{
    wchar_t words[WORDS_CHARS];

    if (walk->denied_count == 0)
        return;
    prfdata_system_text(walk->denied_status, walk->denied, words, WORDS_CHARS);
    prfdata_diagnosis_add_finding(&walk->doctor->diagnosis, PRFDATA_FINDING_FILES_DENIED, NULL,
                                  walk->denied_count, walk->denied, words);
}

static void count_ended_region(const region_walk *walk, const prfdata_os_name *name,
                               bool is_this_boot, uint64_t bytes)
{
    wchar_t account[PRFDATA_ACCOUNT_CHARS], path[2 * MAX_PATH];

    make_region_path(walk, name, path);
    prfdata_account_file_owner(path, account);
    prfdata_diagnosis_count_ended(&walk->doctor->diagnosis, account, is_this_boot, bytes);
}

static uint32_t look_until_finished(region_walk *walk, const prfdata_os_name *name,
                                    prfdata_region_look *look)
{
    for (;;) {
        uint32_t status = prfdata_region_look_at(walk->directory, name, walk->doctor->models,
                                                 walk->doctor->model_count, walk->boot, look);

        if (status || !look->is_live || look->state != PRFDATA_REGION_LOOK_UNFINISHED ||
            walk->pauses_left == 0)
            return status;
        walk->pauses_left--;
        Sleep(UNFINISHED_PAUSE_MS);
    }
}

static void examine_region(region_walk *walk, const prfdata_os_name *name)
{
    prfdata_region_look look;
    uint32_t status = look_until_finished(walk, name, &look);

    if (status) {
        note_denied_file(walk, name, status);
        return;
    }
    walk->bytes += look.bytes;
    prfdata_diagnosis_count_map(&walk->doctor->diagnosis, look.version, look.map_hash,
                                look.is_live);
    if (!look.is_live) {
        count_ended_region(walk, name, true, look.bytes);
        return;
    }
    add_live_region(walk, name, &look);
    walk->most_copy_bytes += look.most_copy_bytes;
    for (size_t i = 0; look.state == PRFDATA_REGION_LOOK_SHOWN && i < PRFDATA_MAX_OBJECTS; i++)
        walk->instances[i] += look.object_instances[i];
}

static void report_unknown_maps(prfdata_doctor *doctor)
{
    unsigned long files = 0;

    for (size_t i = 0; i < doctor->diagnosis.maps.count; i++) {
        if (doctor->diagnosis.maps.items[i].version == PRFDATA_MAP_UNKNOWN)
            files += doctor->diagnosis.maps.items[i].ended_count;
    }
    if (files > 0)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FILES_UNKNOWN_MAP, NULL,
                                      files);
}

/*
 * Reports if all regions together have more bytes than a 64-bit reader reads. The limits are those
 * of provider/regions/regions.h.
 */
static void report_size(region_walk *walk)
{
    prfdata_doctor_share largest;
    DWORD limit_mib = 0;

    (void)prfdata_service_key_number(&walk->doctor->key, PRFDATA_VALUE_REGIONS_MIB, &limit_mib);
    if (limit_mib < PRFDATA_REGIONS_MIB)
        limit_mib = PRFDATA_REGIONS_MIB;
    if (limit_mib > PRFDATA_MOST_REGIONS_MIB)
        limit_mib = PRFDATA_MOST_REGIONS_MIB;
    if (walk->bytes <= (uint64_t)limit_mib << 20)
        return;
    prfdata_doctor_shares_largest(walk->directory, walk->folder, walk->boot, true, &largest);
    prfdata_diagnosis_add_finding(&walk->doctor->diagnosis, PRFDATA_FINDING_FILES_TOO_LARGE, NULL,
                                  (unsigned long)(walk->bytes >> 20), (unsigned long)limit_mib,
                                  largest.account, (unsigned long)(largest.bytes >> 20));
}

static void report_too_many(const region_walk *walk)
{
    prfdata_doctor_share largest;

    prfdata_doctor_shares_largest(walk->directory, walk->folder, walk->boot, false, &largest);
    prfdata_diagnosis_add_finding(&walk->doctor->diagnosis, PRFDATA_FINDING_FILES_TOO_MANY, NULL,
                                  (unsigned long)PRFDATA_MAX_REGIONS, largest.account,
                                  largest.files);
}

static void examine_this_boot(region_walk *walk, prfdata_os_name *names)
{
    prfdata_diagnosis *diagnosis = &walk->doctor->diagnosis;
    size_t count = 0;
    bool more = false;

    if (prfdata_os_directory_list(walk->directory, walk->boot, names, PRFDATA_MAX_REGIONS, &count,
                                  &more) != ERROR_SUCCESS)
        return;
    prfdata_diagnosis_add_number(diagnosis, PRFDATA_FACT_REGIONS, count,
                                 more ? L"more than %lu" : L"%lu", (unsigned long)count);
    for (size_t i = 0; i < count; i++)
        examine_region(walk, &names[i]);
    report_denied_files(walk);
    report_size(walk);
    prfdata_doctor_shares_examine_instances(walk->doctor, walk->directory, walk->boot, names, count,
                                            walk->instances);
    if (walk->most_copy_bytes > PRFDATA_MAX_COPIES_BYTES)
        prfdata_doctor_shares_examine_copies(walk->doctor, walk->directory, walk->boot, names,
                                             count);
    report_unknown_maps(walk->doctor);
    if (more)
        report_too_many(walk);
}

static uint64_t file_bytes(const wchar_t *path)
{
    WIN32_FILE_ATTRIBUTE_DATA data;

    if (!GetFileAttributesExW(path, GetFileExInfoStandard, &data))
        return 0;
    return (uint64_t)data.nFileSizeHigh << 32 | data.nFileSizeLow;
}

static void examine_other_boots(region_walk *walk, prfdata_os_name *names)
{
    size_t count = 0;
    bool more = false;

    if (prfdata_os_directory_list_others(walk->directory, walk->boot, names, PRFDATA_MAX_REGIONS,
                                         &count, &more) != ERROR_SUCCESS ||
        count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        wchar_t path[2 * MAX_PATH];

        make_region_path(walk, &names[i], path);
        count_ended_region(walk, &names[i], false, file_bytes(path));
    }
    prfdata_diagnosis_add_finding(&walk->doctor->diagnosis, PRFDATA_FINDING_FILES_OTHER_BOOT, NULL,
                                  (unsigned long)count);
}

void prfdata_doctor_regions_examine(prfdata_doctor *doctor)
{
    region_walk walk = {0};
    prfdata_os_name *names = malloc(PRFDATA_MAX_REGIONS * sizeof *names);

    if (!names) {
        doctor->diagnosis.has_failed = true;
        return;
    }
    walk.doctor = doctor;
    walk.boot = prfdata_os_boot();
    walk.pauses_left = UNFINISHED_PAUSES;
    walk.questions_left = MOST_QUESTIONS;
    prfdata_service_key_text(&doctor->key, L"Regions", walk.folder, MAX_PATH);
    if (prfdata_os_directory_open(doctor->map->service, &walk.directory) == ERROR_SUCCESS) {
        examine_this_boot(&walk, names);
        examine_other_boots(&walk, names);
        prfdata_os_directory_close(walk.directory);
    }
    free(names);
}
