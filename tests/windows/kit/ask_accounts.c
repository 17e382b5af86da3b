/* SPDX-License-Identifier: MIT */
/* Asks who may do what in the folders of the kit's service. docs/region-format.md, "Access", has
 * the access lists of these folders. */
#include "accounts.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "boot.h"

enum { SERVICE_TRIES = 3 };

static void answer_access(kit *k, kit_question_id question, bool is_so, const access_seen *seen)
{
    char text[ACCESS_TEXT_CHARS];

    kit_access_text(seen, text);
    kit_answer_if(&k->answers, question, is_so, "%s", text);
}

static bool reads_all(const access_seen *seen)
{
    return seen->regions > 0 && seen->readable == seen->regions;
}

static bool controls_all(const access_seen *seen)
{
    return reads_all(seen) && seen->writable == seen->regions && seen->deletable == seen->regions &&
           seen->controllable == seen->regions;
}

static bool meddles(const access_seen *seen)
{
    return seen->writable > 0 || seen->deletable > 0 || seen->controllable > 0;
}

static bool is_boot_of(const access_seen *seen)
{
    const kit_boot boot = kit_read_boot();

    return seen->stamp_high == (unsigned)(boot.stamp >> 32) &&
           seen->stamp_low == (unsigned)boot.stamp && seen->boot_id == boot.id;
}

static bool changes_folder(const access_seen *seen)
{
    return seen->adds_folders || seen->deletes || seen->controls;
}

/* Answers `failed` to those of the questions that have no answer yet. */
static void fail_rest(kit *k, const kit_question_id *questions, size_t count, const char *who,
                      DWORD status)
{
    for (size_t i = 0; i < count; i++)
        kit_answer(&k->answers, questions[i], KIT_FAILED, "%s: error %lu", who,
                   (unsigned long)status);
}

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const kit_question_id of_services[] = {KIT_Q_service_publishes,
                                              KIT_Q_service_meddles,
                                              KIT_Q_service_reads,
                                              KIT_Q_writer_folder,
                                              KIT_Q_restricted_publishes,
                                              KIT_Q_restricted_reads,
                                              KIT_Q_restricted_publishes_again,
                                              KIT_Q_restricted_meddles,
                                              KIT_Q_boot_service,
                                              KIT_Q_system,
                                              KIT_Q_administrator};

static DWORD ask_local_service(kit *k)
{
    access_seen seen;
    DWORD status = kit_run_as_service(k, L"NT AUTHORITY\\LocalService", false, &seen);

    if (status != ERROR_SUCCESS)
        return status;
    answer_access(k, KIT_Q_service_publishes, seen.published == ERROR_SUCCESS, &seen);
    answer_access(k, KIT_Q_service_reads, reads_all(&seen), &seen);
    answer_access(k, KIT_Q_service_meddles, meddles(&seen), &seen);
    answer_access(k, KIT_Q_writer_folder, changes_folder(&seen), &seen);
    answer_access(k, KIT_Q_boot_service, is_boot_of(&seen), &seen);
    return ERROR_SUCCESS;
}

static DWORD ask_restricted_service(kit *k)
{
    access_seen seen;
    DWORD status = kit_run_as_service(k, L"NT AUTHORITY\\LocalService", true, &seen);

    if (status != ERROR_SUCCESS)
        return status;
    answer_access(k, KIT_Q_restricted_publishes, seen.published == ERROR_SUCCESS, &seen);
    answer_access(k, KIT_Q_restricted_reads, reads_all(&seen), &seen);
    if (seen.others == 0)
        kit_answer(&k->answers, KIT_Q_restricted_meddles, KIT_FAILED,
                   "no region belongs to "
                   "another account");
    else
        answer_access(k, KIT_Q_restricted_meddles, seen.others_writable > 0, &seen);
    answer_access(k, KIT_Q_restricted_publishes_again, seen.reopened && seen.own_writable > 0,
                  &seen);
    return ERROR_SUCCESS;
}

static DWORD ask_system(kit *k)
{
    access_seen seen;
    DWORD status = kit_run_as_service(k, NULL, false, &seen);

    if (status == ERROR_SUCCESS)
        answer_access(k, KIT_Q_system, controls_all(&seen) && seen.published == ERROR_SUCCESS,
                      &seen);
    return status;
}

static void ask_administrator(kit *k)
{
    access_seen seen;

    kit_access_look(&seen);
    answer_access(k, KIT_Q_administrator, controls_all(&seen), &seen);
}

/* Asks only whether a service runs and can do what it must. Under Wine, services run as the account
 * that started Wine, so nothing else can be asked. */
static void run_one_service(kit *k)
{
    access_seen seen;
    DWORD status = ERROR_SERVICE_NOT_ACTIVE;

    /* On a busy machine Wine sometimes fails to start a program. */
    for (int i = 0; i < SERVICE_TRIES && status != ERROR_SUCCESS; i++)
        status = kit_run_as_service(k, NULL, false, &seen);
    if (status != ERROR_SUCCESS || seen.published != ERROR_SUCCESS || !reads_all(&seen) ||
        !seen.reopened || !seen.data_read) {
        char text[ACCESS_TEXT_CHARS] = "";

        if (status == ERROR_SUCCESS)
            kit_access_text(&seen, text);
        kit_answer(&k->answers, KIT_Q_system, KIT_FAILED, "the service: error %lu; %s",
                   (unsigned long)status, text);
    }
    for (size_t i = 0; i < COUNT_OF(of_services); i++)
        kit_answer(&k->answers, of_services[i], KIT_NOT_HERE,
                   "Wine's services have the account of the user who started Wine (one ran)");
}

static void ask_services(kit *k)
{
    DWORD status;

    if (k->is_wine) {
        run_one_service(k);
        return;
    }
    ask_administrator(k);
    status = ask_local_service(k);
    if (status == ERROR_SUCCESS)
        status = ask_restricted_service(k);
    if (status == ERROR_SUCCESS)
        status = ask_system(k);
    fail_rest(k, of_services, COUNT_OF(of_services), "the service", status);
}

static const kit_question_id of_users[] = {
    KIT_Q_user_reads,     KIT_Q_user_writes,     KIT_Q_user_meddles,     KIT_Q_user_publishes,
    KIT_Q_monitor_reads,  KIT_Q_log_reads,       KIT_Q_network_reads,    KIT_Q_owner_writes,
    KIT_Q_owner_controls, KIT_Q_user_data_reads, KIT_Q_user_data_writes, KIT_Q_network_event,
    KIT_Q_owner_reads};

/* Asks what the user may do while only services may publish. */
static DWORD ask_user_reads(kit *k, const wchar_t *password)
{
    access_seen seen;
    DWORD status = kit_run_as_user(k, password, &seen);

    if (status != ERROR_SUCCESS)
        return status;
    answer_access(k, KIT_Q_user_reads, reads_all(&seen), &seen);
    answer_access(k, KIT_Q_user_writes, seen.published == ERROR_SUCCESS, &seen);
    answer_access(k, KIT_Q_user_meddles, meddles(&seen) || changes_folder(&seen), &seen);
    answer_access(k, KIT_Q_user_data_reads, seen.data_read != 0, &seen);
    answer_access(k, KIT_Q_user_data_writes, seen.data_written || seen.key_written, &seen);
    return ERROR_SUCCESS;
}

/* Asks what the user may do with a token that lacks the group INTERACTIVE. The user is a member of
 * Users and, if `alias` is not 0, of that group. */
static DWORD ask_group(kit *k, const wchar_t *password, kit_question_id question, DWORD alias,
                       DWORD logon)
{
    access_seen seen;
    DWORD status = alias ? kit_join_group(alias) : ERROR_SUCCESS;

    if (status == ERROR_SUCCESS)
        status = kit_look_as_user(password, logon, &seen);
    if (status == ERROR_SUCCESS)
        answer_access(k, question, alias ? reads_all(&seen) : seen.listed || seen.readable > 0,
                      &seen);
    else
        kit_answer(&k->answers, question, KIT_FAILED, "the user cannot log on: error %lu",
                   (unsigned long)status);
    if (alias)
        kit_leave_group(alias);
    if (status == ERROR_SUCCESS && question == KIT_Q_network_reads)
        kit_answer_if(&k->answers, KIT_Q_network_event, seen.event_status == ERROR_SUCCESS,
                      "error %u", seen.event_status);
    if (status == ERROR_SUCCESS && question == KIT_Q_monitor_reads)
        answer_access(k, KIT_Q_owner_reads, seen.regions > 0 && seen.owners == seen.regions, &seen);
    return status;
}

static DWORD ask_user_writes(kit *k, const wchar_t *password)
{
    access_seen seen;
    DWORD status;

    if (!kit_install_product(k, L"Users"))
        return ERROR_INSTALL_FAILURE;
    status = kit_run_as_user(k, password, &seen);
    if (status != ERROR_SUCCESS)
        return status;
    answer_access(k, KIT_Q_user_publishes, seen.published == ERROR_SUCCESS, &seen);
    answer_access(k, KIT_Q_owner_writes,
                  seen.own_writable > 0 && seen.own_deletable > 0 && seen.reopened, &seen);
    answer_access(k, KIT_Q_owner_controls, seen.own_controllable > 0, &seen);
    return ERROR_SUCCESS;
}

static void ask_user(kit *k)
{
    wchar_t password[KIT_PASSWORD_CHARS + 1] = L"";
    DWORD status;

    if (k->is_wine || kit_is_domain_controller()) {
        for (size_t i = 0; i < COUNT_OF(of_users); i++)
            kit_answer(&k->answers, of_users[i], KIT_NOT_HERE,
                       kit_is_domain_controller() ? "the kit makes no user in a domain"
                                                  : "Wine has one account");
        return;
    }
    status = kit_make_user(password);
    if (status == ERROR_SUCCESS)
        status = ask_user_reads(k, password);
    if (status == ERROR_SUCCESS) {
        ask_group(k, password, KIT_Q_network_reads, 0, LOGON32_LOGON_NETWORK);
        ask_group(k, password, KIT_Q_monitor_reads, DOMAIN_ALIAS_RID_MONITORING_USERS,
                  LOGON32_LOGON_NETWORK);
        ask_group(k, password, KIT_Q_log_reads, DOMAIN_ALIAS_RID_LOGGING_USERS,
                  LOGON32_LOGON_BATCH);
        status = ask_user_writes(k, password);
    }
    fail_rest(k, of_users, COUNT_OF(of_users), "the user", status);
}

void kit_ask_accounts(kit *k)
{
    ask_services(k);
    ask_user(k);
    kit_remove_accounts();
}
