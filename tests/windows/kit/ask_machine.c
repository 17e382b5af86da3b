/* SPDX-License-Identifier: MIT */
/* Asks what the machine keeps of a service, and what Perflib wrote to the event log while the kit
 * ran. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "ask_boot.h"
#include "events.h"

enum { OUTPUT_BYTES = 1 << 20 };

#define EVENT_VARIABLE L"PRFDATA_KIT_EVENT"

/* Runs wevtutil on the Application log. Returns false if wevtutil does not exist or failed. */
static bool query_events(kit *k, char *output, const wchar_t *options)
{
    wchar_t tool[MAX_PATH];

    return !k->is_wine && kit_find_tool(L"wevtutil.exe", tool) &&
           kit_run(k, 60, output, OUTPUT_BYTES, L"\"%ls\" qe Application /f:xml %ls", tool,
                   options) == 0;
}

void kit_note_events(kit *k)
{
    char *output = malloc(OUTPUT_BYTES);
    wchar_t number[24] = L"0";
    kit_event last;

    if (output && query_events(k, output, L"/c:1 /rd:true") && kit_event_next(output, &last))
        swprintf(number, 24, L"%llu", last.record);
    SetEnvironmentVariableW(EVENT_VARIABLE, number); /* the process of the last part reads this */
    free(output);
}

/* Prints one line for each event. Returns how many events concern counters outside of the kit.
 * `own_1016` gets the number of events 1016 that concern the kit. */
static unsigned print_events(FILE *report, const char *events, unsigned *own_1016)
{
    unsigned others = 0;
    kit_event event;

    *own_1016 = 0;
    while ((events = kit_event_next(events, &event)) != NULL) {
        bool is_own = kit_event_is_own(&event);

        others += !is_own;
        *own_1016 += is_own && event.id == 1016;
        fprintf(report, "Event %llu, %s, %s %u, level %u: %s\n", event.record, event.time,
                event.source, event.id, event.level, event.data);
    }
    return others;
}

static void answer_events(kit *k, const char *perflib, const char *ours)
{
    unsigned own_1016, ignored, others;
    char counts[800];

    others = print_events(k->answers.report, perflib, &own_1016);
    print_events(k->answers.report, ours, &ignored);
    kit_event_counts(perflib, counts, sizeof counts);
    kit_answer(&k->answers, KIT_Q_event_levels, KIT_TEXT, "%s; they are listed above", counts);
    kit_answer(&k->answers, KIT_Q_unaligned_event, KIT_TEXT, "%u", own_1016);
    kit_answer_if(&k->answers, KIT_Q_event_others, others > 0, "%u", others);
    kit_event_counts(ours, counts, sizeof counts);
    kit_answer(&k->answers, KIT_Q_event_ours, KIT_TEXT, "%s", counts);
}

/* Asks about all events that are newer than those that kit_note_events() recorded. */
static void ask_events(kit *k)
{
    static const kit_question_id questions[] = {KIT_Q_event_levels, KIT_Q_unaligned_event,
                                                KIT_Q_event_others, KIT_Q_event_ours};
    char *perflib = calloc(1, OUTPUT_BYTES), *ours = calloc(1, OUTPUT_BYTES);
    wchar_t number[24] = L"0", options[500];

    GetEnvironmentVariableW(EVENT_VARIABLE, number, 24);
    swprintf(options, 500,
             L"\"/q:*[System[Provider[@Name='Microsoft-Windows-Perflib' or "
             L"@Name='Microsoft-Windows-PerfHost' or @Name='Microsoft-Windows-LoadPerf' or "
             L"@Name='Perflib' or @Name='LoadPerf'] and EventRecordID > %ls]]\"",
             number);
    if (!perflib || !ours || !query_events(k, perflib, options)) {
        for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
            kit_answer_missing(k, questions[i], "wevtutil shows no events");
    } else {
        swprintf(options, 500,
                 L"\"/q:*[System[Provider[@Name='PrfData PrfDataKit'] and EventRecordID > %ls]]\"",
                 number);
        query_events(k, ours, options);
        answer_events(k, perflib, ours);
    }
    free(perflib);
    free(ours);
}

/* Reads the names of the service's privileges, each followed by a blank. Returns false if there is
 * no such service. */
static bool read_privileges(char *names, size_t capacity)
{
    SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT);
    SC_HANDLE service = manager ? OpenServiceW(manager, L"prfread", SERVICE_QUERY_CONFIG) : NULL;
    union {
        SERVICE_REQUIRED_PRIVILEGES_INFOW info;
        BYTE bytes[8192]; /* the system never returns more */
    } config = {{NULL}};
    DWORD size = 0;
    size_t used = 0;

    names[0] = 0;
    if (service && QueryServiceConfig2W(service, SERVICE_CONFIG_REQUIRED_PRIVILEGES_INFO,
                                        config.bytes, sizeof config, &size)) {
        const wchar_t *name = config.info.pmszRequiredPrivileges;

        for (; name && *name && used + wcslen(name) + 2 < capacity; name += wcslen(name) + 1)
            used += (size_t)snprintf(names + used, capacity - used, "%ls ", name);
    }
    if (service)
        CloseServiceHandle(service);
    if (manager)
        CloseServiceHandle(manager);
    return service != NULL;
}

/* Asks for the privileges of the service, which is installed but not started. */
static void ask_privileges(kit *k)
{
    char names[1000], output[400] = "";

    if (k->is_wine) {
        kit_answer_missing(k, KIT_Q_privileges, "Wine keeps no privileges of a service");
        return;
    }
    if (read_privileges(names, sizeof names)) {
        kit_answer(&k->answers, KIT_Q_privileges, KIT_NOT_HERE, "a service prfread is here: %s",
                   names);
        return;
    }
    if (kit_note_reader() != ERROR_SUCCESS ||
        kit_run(k, 60, output, sizeof output,
                L"\"%ls\\prfread.exe\" -service install -serve 127.0.0.1:9182", k->data) != 0) {
        kit_answer(&k->answers, KIT_Q_privileges, KIT_FAILED, "prfread installs no service: %s",
                   output);
    } else {
        (void)read_privileges(names, sizeof names);
        kit_answer_if(&k->answers, KIT_Q_privileges, strcmp(names, "SeChangeNotifyPrivilege ") == 0,
                      "%s", names);
    }
    (void)kit_remove_reader(k);
}

void kit_ask_machine(kit *k)
{
    ask_privileges(k);
    kit_ask_boot(k);
    ask_events(k);
}
