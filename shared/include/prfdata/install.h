/* SPDX-License-Identifier: MIT */
/*
 * Registers the counters of a map from an application or a setup program, as the installer program
 * does. Windows only; link prfdata::installer.
 *
 *     static void print_step(void *context, prfdata_step step, const wchar_t *text)
 *     {
 *         fwprintf(step == PRFDATA_STEP_FAILED ? stderr : stdout, L"%ls\n", text);
 *     }
 *     ...
 *     prfdata_install_options options = {.step = print_step};
 *     uint32_t status = prfdata_install(&prfdata_default_map, &options);
 *
 * Registering writes to HKEY_LOCAL_MACHINE, to ProgramData (or to `data_path`), to the folder of
 * the DLL, and to the system's title database. The program must run elevated, otherwise
 * prfdata_install(), prfdata_uninstall(), prfdata_reset() and prfdata_repair() return
 * ERROR_ACCESS_DENIED and change nothing. An installation stores (<service>: the map's service):
 *
 *     HKLM\SYSTEM\CurrentControlSet\Services\<service>\Performance   DLL, procedures, maps, folder,
 *                                                                    options, this installer
 *     HKLM\SYSTEM\CurrentControlSet\Services\<service>\Linkage       Export: the service
 *     ...\Services\EventLog\Application\PrfData <service>            source of its events
 *     <ProgramData>\PrfData\<service>.ini and .h                     the titles for loadperf
 *     <ProgramData>\PrfData\<service>\                               the regions of the publishers
 *     the title database                                             by loadperf, never by hand
 *
 * The registered DLL is a copy of the provider DLL, in the same folder as the original. The copy's
 * name ends with a hash of its content. Therefore no reader locks the DLL that came with the
 * program, and a later version can replace it. Readers that have loaded the earlier copy continue
 * to use it. Only administrators may have write access to the folder, because the system loads the
 * DLL into privileged programs.
 */
#ifndef PRFDATA_INSTALL_H
#define PRFDATA_INSTALL_H

#include <stdbool.h>

#include <prfdata/map.h>
#include <prfdata/sal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The architecture of the registered DLL. Each service has only one registered DLL. */
typedef enum prfdata_install_arch {
    PRFDATA_ARCH_DEFAULT, /* as at the last installation; NATIVE if there was none */
    PRFDATA_ARCH_NATIVE,  /* the system's own: 64-bit readers on 64-bit Windows */
    PRFDATA_ARCH_X86      /* 32-bit readers; 64-bit readers use perfhost.exe */
} prfdata_install_arch;

/* The reaction of prfdata_install() if ordinary users can replace the DLL. */
typedef enum prfdata_install_protection {
    PRFDATA_PROTECTION_DEFAULT,  /* REQUIRED; under Wine, which has no ordinary users, WARN */
    PRFDATA_PROTECTION_REQUIRED, /* the call fails */
    /* a line of the report says so; for developers whose build folder others can write to */
    PRFDATA_PROTECTION_WARN
} prfdata_install_protection;

/* The kind of a line of the report. */
typedef enum prfdata_step {
    PRFDATA_STEP_DONE, /* changed */
    PRFDATA_STEP_SAME, /* was correct already, or there was nothing to do */
    /*
     * something is left as it is, because it is in use or belongs to another program or version; or
     * a person should know a fact, such as a switch that is off
     */
    PRFDATA_STEP_LEFT,
    /*
     * the reason why the call fails (prfdata_install() then undoes the earlier steps), or something
     * wrong that prfdata_install_status() found
     */
    PRFDATA_STEP_FAILED,
    PRFDATA_STEP_UNDONE /* an earlier step, which was undone */
} prfdata_step;

/* The form of the report of prfdata_install_status(). */
typedef enum prfdata_status_format {
    PRFDATA_STATUS_TEXT, /* lines for people; docs/doctor.md shows them */
    PRFDATA_STATUS_JSON  /* one line, a JSON object; docs/doctor.md lists its fields */
} prfdata_status_format;

/*
 * Called for each line of a report, in the thread that called prfdata_install() or another function
 * that reports.
 *
 * context  The `context` of the options.
 * text     One line without line end; valid during the call.
 */
typedef void prfdata_step_function(void *context, prfdata_step step, const wchar_t *text);

/* The options of the functions below. All zero means the defaults. Borrowed during the call. */
typedef struct prfdata_install_options {
    /*
     * The provider DLL; a relative path is relative to the current folder. NULL: <service>Prf.dll,
     * or PrfDataProvider.dll if that is missing. A DLL for the program's machine is expected next
     * to the running program, a DLL for another machine in the folder x86, x64 or arm64 next to the
     * program. On ARM64, if both DLLs are missing, a DLL for x64 is used.
     */
    const wchar_t *provider_path;
    prfdata_install_arch arch;
    /*
     * The reaction if ordinary users can replace the DLL. They cannot if all of this holds: the DLL
     * and every folder above it belong to Administrators, SYSTEM or TrustedInstaller; no other
     * account can change the DLL, add files to its folder, or delete or rename a folder above it;
     * no folder of the path is a link. Program Files fulfils these conditions.
     */
    prfdata_install_protection protection;
    /*
     * Up to 16 accounts that may publish, in addition to SYSTEM and Administrators. Commas separate
     * them. Each is `Services` (S-1-5-6), `Users` (S-1-5-32-545, and services), the name of an
     * account or group (`DOMAIN\name`, `NT SERVICE\service`, `IIS AppPool\pool`) or a SID
     * (`S-1-5-21-...`). A line of the report says which account each name means; the SID is stored.
     * NULL: as at the last installation; Services if there was none.
     */
    const wchar_t *writers;
    /*
     * The folder for the title files and the regions' folder. NULL: as at the last installation;
     * <ProgramData>\PrfData if there was none. Its parent must exist. In the parent, and in the
     * folders above it, only administrators may have the right to rename or delete (see
     * `protection`).
     */
    const wchar_t *data_path;
    /*
     * The full path of an installer program (one that calls prfdata_installer_main()).
     * prfdata_install_status() and prfdata_repair() start it to try what could crash or hang a
     * program: loading the DLL, and reading the counters. prfdata_install() stores the path for
     * messages that name the installer's commands. NULL: the functions do none of this.
     */
    const wchar_t *helper_path;
    uint32_t helper_timeout_ms; /* timeout of the helper program; 0: 30 seconds */
    prfdata_status_format status_format;
    prfdata_step_function *step; /* may be NULL */
    void *context;               /* the first argument of `step` */
    /*
     * Installing: continue even if an id has another meaning than in a map that was registered
     * before, or if another product has registered the service. The counts of ids with another
     * meaning are lost; the report names these ids.
     */
    bool force;
    bool any; /* uninstalling: also remove the registration of another version of the map */
} prfdata_install_options;

/*
 * Register the counters of `map`, or bring an earlier registration up to date.
 *
 * If the service is registered already, the call checks everything and repairs differences. With
 * the same map and options it changes nothing, and options that are left out keep their values. Up
 * to eight earlier versions of the map stay registered, so readers continue to see programs of
 * these versions. Counters with the same id continue under the same title index (docs/upgrading.md
 * lists the exceptions). Titles are loaded again only if they differ. On failure every step is
 * undone, which restores an earlier registration. If a process is killed during the call, the next
 * call completes what is missing.
 *
 * options  May be NULL.
 *
 * Returns ERROR_SUCCESS,
 *         ERROR_INVALID_PARAMETER (the map or the options are invalid),
 *         ERROR_ACCESS_DENIED (not elevated, or other accounts can change an existing data folder),
 *         ERROR_EXE_MACHINE_TYPE_MISMATCH (a 32-bit program on 64-bit Windows),
 *         ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND (no DLL),
 *         ERROR_BAD_EXE_FORMAT (no DLL of this architecture),
 *         ERROR_PROC_NOT_FOUND (not a provider: an export is missing),
 *         ERROR_ALREADY_EXISTS (another program created the Performance key; or, without `force`,
 *         another product has registered the service: none of the registered ids has the same name
 *         or symbol in `map`),
 *         ERROR_REVISION_MISMATCH (without `force`: an id has another meaning than in a map that
 *         was registered before, or the registered maps have a later format),
 *         ERROR_INVALID_OWNER (a folder belongs to another account),
 *         ERROR_DIRECTORY (a file or a link has the name of a folder), ERROR_FILE_EXISTS (a title
 *         file of another program is in the data folder), ERROR_INVALID_ACL (ordinary users can
 *         replace the DLL or the data folder), ERROR_INVALID_DATA (loadperf reported success but
 *         the titles are missing), ERROR_TIMEOUT (another installer was at work for a minute;
 *         nothing was changed), or another error of the system. A PRFDATA_STEP_FAILED line says
 *         more.
 * Threads: any. If two calls run at the same time, even in two processes, one waits for the other.
 */
uint32_t prfdata_install(PRFDATA_IN_ const prfdata_map *map,
                         PRFDATA_IN_OPT_ const prfdata_install_options *options);

/*
 * Remove what prfdata_install() made for the service of `map`: titles, keys, region files, folders,
 * copies of the DLL. Nothing else is touched; the DLL that came with the program stays.
 *
 * Unless `any` is set, the registration of another version of the map stays, and a
 * PRFDATA_STEP_LEFT line says so. Therefore a setup program may remove the earlier version after it
 * has installed the later one. Region files that readers hold open are invalidated, and Windows
 * deletes them at its next start.
 *
 * options  Only `step`, `context`, `any`, `data_path`, `provider_path` and `arch` are used. A
 *          registered folder takes precedence over `data_path`. `provider_path` and `arch` only say
 *          where to look for further copies of the DLL. May be NULL.
 *
 * Returns ERROR_SUCCESS,
 *         ERROR_SHARING_VIOLATION (unregistered, but a PRFDATA_STEP_LEFT line says what is left to
 *         do: for instance, end the programs that still publish, and call again),
 *         ERROR_FILE_NOT_FOUND (not registered), ERROR_INVALID_PARAMETER (the service name is
 *         invalid), ERROR_ACCESS_DENIED (not elevated), ERROR_ALREADY_EXISTS (another program
 *         created the Performance key), ERROR_TIMEOUT (as for prfdata_install()), or another error
 *         of the system.
 * Threads: any. If two calls run at the same time, one waits for the other.
 */
uint32_t prfdata_uninstall(PRFDATA_IN_ const prfdata_map *map,
                           PRFDATA_IN_OPT_ const prfdata_install_options *options);

/*
 * Set the counts of the service's ended programs to zero, whichever version of `map` is registered.
 * Running programs keep their counts, and a PRFDATA_STEP_LEFT line names each of these programs. To
 * readers the reset looks like a restart of the programs.
 *
 * options  Only `step` and `context` are used. May be NULL.
 *
 * Returns ERROR_SUCCESS,
 *         ERROR_SHARING_VIOLATION (not all counts of ended programs could be set to zero),
 *         ERROR_FILE_NOT_FOUND (not registered, or the regions folder is missing),
 *         ERROR_INVALID_PARAMETER (the service name is invalid), ERROR_INVALID_DATA (no regions
 *         folder is registered), ERROR_ACCESS_DENIED (not elevated), ERROR_ALREADY_EXISTS (another
 *         program created the Performance key), ERROR_TIMEOUT (as for prfdata_install()), or
 *         another error of the system.
 * Threads: any. If two calls run at the same time, one waits for the other.
 */
uint32_t prfdata_reset(PRFDATA_IN_ const prfdata_map *map,
                       PRFDATA_IN_OPT_ const prfdata_install_options *options);

/*
 * Examine the registration of the service of `map`, and report facts, the programs that publish,
 * and findings. Each finding says what is wrong, what follows from it, and which command fixes it
 * (docs/doctor.md). Needs no elevation. It changes nothing, except that it makes a region file and
 * deletes it at once, to see whether this account could publish.
 *
 * options  `step`, `context`, `status_format`, `helper_path` and `helper_timeout_ms` are used. A
 *          line about something wrong is PRFDATA_STEP_FAILED, every other line PRFDATA_STEP_SAME.
 *          May be NULL.
 *
 * Returns ERROR_SUCCESS (registered as the map says, and readers see all running programs),
 *         ERROR_FILE_NOT_FOUND (not registered),
 *         ERROR_ALREADY_EXISTS (registered by another installer),
 *         ERROR_REVISION_MISMATCH (another version of the map is registered, and nothing else is
 *         wrong), ERROR_INVALID_DATA (something is wrong; the lines say what),
 *         ERROR_NOT_ENOUGH_MEMORY, ERROR_INVALID_PARAMETER (the service name is invalid),
 *         ERROR_TIMEOUT (called in DllMain by a thread that impersonates a client), or another
 *         error of the system (the service's key cannot be read).
 * Threads: any.
 */
uint32_t prfdata_install_status(PRFDATA_IN_ const prfdata_map *map,
                                PRFDATA_IN_OPT_ const prfdata_install_options *options);

/*
 * Examine the registration, run the commands that fix findings safely, and report which commands
 * ran and what is still wrong. Safe commands lose no counts, end no program, and change only what
 * belongs to the service. docs/doctor.md lists them.
 *
 * options  As for prfdata_install_status() and for prfdata_install(), which may be one of the
 *          commands; `status_format` is not used.
 *
 * Returns what prfdata_install_status() returns for the state after the commands,
 *         ERROR_ACCESS_DENIED (not elevated), ERROR_TIMEOUT (as for prfdata_install()), or another
 *         error of the system.
 * Threads: any. If two calls run at the same time, one waits for the other.
 */
uint32_t prfdata_repair(PRFDATA_IN_ const prfdata_map *map,
                        PRFDATA_IN_OPT_ const prfdata_install_options *options);

/* The exit codes of prfdata_installer_main(). */
enum {
    PRFDATA_EXIT_DONE = 0,
    /* a command failed, or a map is invalid; only -Install undoes what it has changed */
    PRFDATA_EXIT_FAILED = 1,
    PRFDATA_EXIT_USAGE = 2,     /* the command line is invalid */
    PRFDATA_EXIT_ELEVATE = 3,   /* needs an elevated prompt */
    PRFDATA_EXIT_LEFTOVERS = 4, /* done, but something is left that a person must do */
    PRFDATA_EXIT_NOT_INSTALLED = 5,
    PRFDATA_EXIT_BROKEN = 6 /* installed, but faulty, or readers do not see a program */
};

/*
 * The whole installer program: -Install, -Uninstall, -Status and the other commands that its help
 * (-?) lists. With several maps the exit code is that of the first command that failed.
 *
 * -TryLoad DLL and -TryRead INDEX are not for people. -Status and -Repair start the program with
 * them (`helper_path`), and get the result from its exit code.
 *
 * maps  `map_count` maps of different services. If there is none, -Map names map files, or the
 *       arguments name installed services.
 * argv  The arguments of wmain(). The help takes the program's name from argv[0], without folder
 *       and .exe.
 *
 * Returns the exit code.
 */
int prfdata_installer_main(PRFDATA_IN_READS_OPT_(map_count) const prfdata_map *const *maps,
                           size_t map_count, int argc, PRFDATA_IN_READS_(argc) wchar_t **argv);

#ifdef __cplusplus
}
#endif

#endif
