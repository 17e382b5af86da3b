/* SPDX-License-Identifier: MIT */
/* Asks how one start of Windows can be distinguished from another. PrfData keeps or deletes counts
 * depending on the number of a start. So this number must be the same for every account and bitness
 * at any time, and must never repeat. */
#include "ask_boot.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "boot.h"

#define BOOT_VARIABLE L"PRFDATA_KIT_BOOT"

/* Returns how many seconds after the start of the system a time stamp is, by the current clocks. */
static double seconds_after_start(uint64_t stamp)
{
    FILETIME now;
    uint64_t ticks;

    GetSystemTimeAsFileTime(&now);
    ticks = (uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime;
    return ((double)stamp - ((double)ticks - (double)GetTickCount64() * 1e4)) / 1e7;
}

void kit_note_boot(void)
{
    const kit_boot boot = kit_read_boot();
    wchar_t text[48];

    swprintf(text, 48, L"%llu %u", (unsigned long long)boot.stamp, (unsigned)boot.id);
    SetEnvironmentVariableW(BOOT_VARIABLE, text); /* the process of the last part reads this */
}

static void ask_start_and_end(kit *k, const kit_boot *now)
{
    unsigned long long stamp = 0;
    wchar_t text[48] = L"";
    kit_boot then = {0, 0};
    unsigned id = 0;

    GetEnvironmentVariableW(BOOT_VARIABLE, text, 48);
    if (swscanf(text, L"%llu %u", &stamp, &id) != 2) {
        kit_answer(&k->answers, KIT_Q_boot_lasts, KIT_FAILED, "the start was not noted");
        return;
    }
    then.stamp = stamp;
    then.id = id;
    kit_answer_if(&k->answers, KIT_Q_boot_lasts, now->stamp != 0 && kit_is_same_boot(&then, now),
                  "%llu and %u, at the start %llu and %u", (unsigned long long)now->stamp,
                  (unsigned)now->id, stamp, id);
}

/* Asks the kits for other processors, which are in folders next to this one. */
static void ask_other_programs(kit *k, const kit_boot *now)
{
    static const wchar_t *const processors[] = {L"x86", L"x64", L"arm64"};
    uint64_t narrow = kit_read_boot_stamp(KEY_WOW64_32KEY),
             wide = kit_read_boot_stamp(KEY_WOW64_64KEY);
    bool is_same = narrow == now->stamp && wide == now->stamp && now->stamp != 0;
    char output[200], seen[300] = "";
    size_t used = 0;

    for (size_t i = 0; i < sizeof processors / sizeof processors[0]; i++) {
        wchar_t program[2 * MAX_PATH];
        unsigned long long stamp = 0;
        unsigned id = 0;

        swprintf(program, 2 * MAX_PATH, L"%ls\\..\\%ls\\prfdata-kit.exe", k->folder, processors[i]);
        if (GetFileAttributesW(program) == INVALID_FILE_ATTRIBUTES ||
            kit_run(k, 30, output, sizeof output, L"\"%ls\" -Boot", program) != 0)
            continue; /* there is no such kit, or it does not run on this processor */
        if (sscanf(output, "%llu %u", &stamp, &id) != 2 || stamp != now->stamp || id != now->id)
            is_same = false;
        used += (size_t)snprintf(seen + used, sizeof seen - used, "; %ls: %llu and %u",
                                 processors[i], stamp, id);
    }
    kit_answer_if(&k->answers, KIT_Q_boot_views, is_same, "32-bit view %llu, 64-bit view %llu%s",
                  (unsigned long long)narrow, (unsigned long long)wide,
                  used > 0 ? seen : "; no kit of another processor is next to this one");
}

/* Asks how a restart changes the numbers. The numbers from before the restart are in a file of
 * -Stamp, which has the time stamp and, if a newer kit wrote it, BootId. */
static void ask_restart(kit *k, const kit_boot *now)
{
    FILE *file = k->stamp_file ? _wfopen(k->stamp_file, L"r") : NULL;
    unsigned long long before = 0;
    unsigned id = 0;
    int count = 0;

    if (file) {
        count = fscanf(file, "%llu %u", &before, &id);
        fclose(file);
    }
    if (count < 1 || before == 0 || now->stamp == 0) {
        kit_answer(
            &k->answers, KIT_Q_boot_changes, KIT_NOT_HERE,
            "needs a restart: prfdata-kit -Stamp FILE before it, -Ask REPORT -After FILE after it");
        kit_answer(&k->answers, KIT_Q_boot_id, KIT_TEXT, "%u, and no restart was noted",
                   (unsigned)now->id);
        return;
    }
    kit_answer_if(&k->answers, KIT_Q_boot_changes, before != now->stamp, "%llu, now %llu", before,
                  (unsigned long long)now->stamp);
    kit_answer(&k->answers, KIT_Q_boot_id, KIT_TEXT, "%u, before %u", (unsigned)now->id, id);
}

void kit_ask_boot(kit *k)
{
    const kit_boot now = kit_read_boot();

    if (now.stamp == 0)
        kit_answer_missing(k, KIT_Q_boot_stamp, "HKLM\\HARDWARE\\DESCRIPTION has no time stamp");
    else
        kit_answer(&k->answers, KIT_Q_boot_stamp, KIT_TEXT,
                   "%llu, %.1f seconds after the start of the system by GetTickCount64",
                   (unsigned long long)now.stamp, seconds_after_start(now.stamp));
    ask_restart(k, &now);
    ask_start_and_end(k, &now);
    ask_other_programs(k, &now);
}

int kit_stamp_main(const wchar_t *path)
{
    const kit_boot now = kit_read_boot();
    FILE *file = kit_create_file(path);

    if (!file)
        return 2;
    fprintf(file, "%llu %u\n", (unsigned long long)now.stamp, (unsigned)now.id);
    return fclose(file) == 0 ? 0 : 2;
}
