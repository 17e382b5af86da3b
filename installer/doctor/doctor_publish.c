/* SPDX-License-Identifier: MIT */
/*
 * Finds out whether a program of this account could publish now, by creating a region file as the
 * client library does, and deleting it. Readers ignore the file, because it is never published.
 * Windows only.
 */
#include <stdlib.h>
#include <wchar.h>

#include "doctor/doctor.h"
#include "names/wide_text.h"
#include "region/region.h"
#include "service/registered.h"
#include "system/os_name.h"
#include "windows/account.h"
#include "windows/system_text.h"

enum { WORDS_CHARS = 256 };

/*
 * Create a region file and delete it. The file's name has the time and a random number, like the
 * names that the client library makes. `is_left` becomes true if the file could not be deleted.
 */
static uint32_t make_and_delete(prfdata_os_directory *directory, uint64_t size,
                                prfdata_os_name *name, bool *is_left)
{
    prfdata_os_region region = PRFDATA_OS_REGION_NONE;
    bool alive;
    uint32_t status;

    prfdata_os_name_make(name, prfdata_os_boot(),
                         prfdata_os_milliseconds() << 24 | (prfdata_os_random() & 0xFFFFFF));
    status = prfdata_os_region_create(directory, name, size, &region);
    if (status)
        return status;
    prfdata_os_region_delete(directory, name, &region);
    /* A reader that has the file open at this moment keeps Windows from deleting it. */
    *is_left = prfdata_os_region_probe(directory, name, NULL, &alive) != ERROR_FILE_NOT_FOUND &&
               prfdata_os_region_remove(directory, name) != ERROR_SUCCESS;
    return ERROR_SUCCESS;
}

/*
 * The suggested command has the option -Writers, which replaces the former list of accounts. So
 * `writers` has the accounts of that list, and this account.
 */
static void report_denied(prfdata_doctor *doctor, const wchar_t *account)
{
    wchar_t writers[PRFDATA_ACCESS_LIST_SDDL_CHARS];

    if (!prfdata_service_key_text(&doctor->key, PRFDATA_VALUE_WRITERS, writers,
                                  PRFDATA_ACCESS_LIST_SDDL_CHARS))
        wcscpy(writers, L"Services");
    prfdata_wide_text_append(writers, PRFDATA_ACCESS_LIST_SDDL_CHARS, L",");
    prfdata_wide_text_append(writers, PRFDATA_ACCESS_LIST_SDDL_CHARS, account);
    prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_PUBLISH_DENIED, writers,
                                  account);
}

static void report_attempt(prfdata_doctor *doctor, uint32_t status)
{
    wchar_t account[PRFDATA_ACCOUNT_CHARS];
    wchar_t words[WORDS_CHARS];

    prfdata_account_own_name(account);
    prfdata_system_text(status, L"the file", words, WORDS_CHARS);
    if (!status)
        prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_THIS_ACCOUNT,
                                   L"%ls can publish", account);
    else if (status == ERROR_ACCESS_DENIED)
        report_denied(doctor, account);
    else
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_PUBLISH_FAILED, NULL,
                                      words);
}

static void try_to_publish(prfdata_doctor *doctor)
{
    prfdata_os_directory *directory = NULL;
    prfdata_region_layout *layout = NULL;
    prfdata_os_name name;
    wchar_t words[WORDS_CHARS];
    bool is_left = false;
    uint32_t status = prfdata_region_layout_make(doctor->installed, NULL, &layout);

    if (!status)
        status = prfdata_os_directory_open(doctor->map->service, &directory);
    if (!status) {
        status = make_and_delete(directory, layout->total_bytes, &name, &is_left);
        prfdata_os_directory_close(directory);
    }
    free(layout);
    report_attempt(doctor, status);
    if (!is_left)
        return;
    (void)swprintf(words, WORDS_CHARS, L"%hs", name.text);
    prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_PROBE_LEFT, words, words);
}

void prfdata_doctor_publish_examine(prfdata_doctor *doctor)
{
    DWORD number = 0;
    bool is_off = prfdata_service_key_number(&doctor->key, L"Publish", &number) && number == 0;

    prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_PUBLISHING,
                               is_off ? L"off" : L"on");
    if (is_off)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_PUBLISH_OFF, NULL);
    if (doctor->installed && doctor->folder_is_right &&
        !prfdata_diagnosis_has(&doctor->diagnosis, PRFDATA_FINDING_FILES_TOO_MANY))
        try_to_publish(doctor);
}
