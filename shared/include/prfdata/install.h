/* SPDX-License-Identifier: MIT */
/*
 * Registering the counters of a map: what an installer program does, for an application or a setup
 * program that does it itself. Windows only; link prfdata::installer.
 *
 *     static void print_step(void *context, prfdata_step step, const wchar_t *text)
 *     {
 *         fwprintf(step == PRFDATA_STEP_FAILED ? stderr : stdout, L"%ls\n", text);
 *     }
 *     ...
 *     prfdata_install_options options = {.step = print_step};
 *     uint32_t status = prfdata_install(&prfdata_default_map, &options);
 *
 * Registering writes to HKEY_LOCAL_MACHINE, to ProgramData and to the system's title database:
 * the program must run elevated, else the functions say ERROR_ACCESS_DENIED and change nothing.
 * What stands where (<service> is the map's service):
 *
 *     HKLM\SYSTEM\CurrentControlSet\Services\<service>\Performance   DLL, procedures, map, folder
 *     HKLM\SYSTEM\CurrentControlSet\Services\<service>\Linkage       Export: the service
 *     ...\Services\EventLog\Application\PrfData <service>            the texts of its events
 *     <ProgramData>\PrfData\<service>.ini and .h                     the titles for loadperf
 *     <ProgramData>\PrfData\<service>\                               the regions of the publishers
 *     the title database                                             by loadperf, never by hand
 *
 * The provider DLL is named, not copied. It must lie where only administrators write: the system
 * loads it into privileged programs.
 */
#ifndef PRFDATA_INSTALL_H
#define PRFDATA_INSTALL_H

#include <prfdata/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which DLL is registered; the key has room for one. */
typedef enum prfdata_install_arch {
    PRFDATA_ARCH_NATIVE, /* the system's own: 64-bit readers on 64-bit Windows */
    PRFDATA_ARCH_X86     /* 32-bit readers; 64-bit ones reach it through perfhost.exe */
} prfdata_install_arch;

/* What happens where ordinary users can exchange the DLL. */
typedef enum prfdata_install_protection {
    PRFDATA_PROTECTION_DEFAULT,  /* required; under Wine, where nobody is an ordinary user, told */
    PRFDATA_PROTECTION_REQUIRED, /* the call fails */
    PRFDATA_PROTECTION_TOLD      /* a line says so; for developers, who build it in such places */
} prfdata_install_protection;

/* What a line of the report says. */
typedef enum prfdata_step {
    PRFDATA_STEP_DONE,   /* changed */
    PRFDATA_STEP_SAME,   /* found as it should be, or has nothing to do */
    PRFDATA_STEP_LEFT,   /* could not be removed, and does not matter: in use, or not ours */
    PRFDATA_STEP_FAILED, /* why the call fails; the steps before it are undone */
    PRFDATA_STEP_UNDONE  /* taken back */
} prfdata_step;

/*
 * Told once per step.
 *
 * text  One line without line end; valid during the call.
 */
typedef void prfdata_step_function(void *context, prfdata_step step, const wchar_t *text);

/* All zero means the defaults. Borrowed for the duration of a call. */
typedef struct prfdata_install_options {
    /*
     * The provider DLL; a relative path is taken from the current folder. NULL: <service>Prf.dll
     * beside the running program if the DLL's bitness is the program's own, else in the folder
     * x86, x64 or arm64 beside the program.
     */
    const wchar_t *provider_path;
    prfdata_install_arch arch;
    /*
     * The DLL and every folder above it must belong to Administrators, SYSTEM or TrustedInstaller,
     * nobody else may change the DLL, add anything to its folder, or delete or rename a folder
     * above it; and no link may lead there. Program Files is such a place.
     */
    prfdata_install_protection protection;
    /*
     * Who may publish, besides SYSTEM and Administrators: a list with commas of `Services`
     * (S-1-5-6), `Users` (S-1-5-32-545, and services) and SIDs (`S-1-5-21-...`). NULL: Services.
     */
    const wchar_t *writers;
    /*
     * Instead of <ProgramData>\PrfData, the folder of the title files and of the regions' folder.
     * Its parent must exist, and neither it nor the folders above it may let others than
     * administrators rename or delete what is in them (`protection`, above).
     */
    const wchar_t *data_path;
    prfdata_step_function *step; /* may be NULL */
    void *context;               /* the first argument of `step` */
} prfdata_install_options;

/*
 * Register the counters of `map`, or bring an earlier registration up to date.
 *
 * Registered already: checks everything and repairs what differs; with the same map and options
 * nothing is changed. Another version of the map: the old titles go, the new ones come, with new
 * indexes. On failure every step is taken back, the earlier registration is there again.
 *
 * options  May be NULL.
 *
 * Returns ERROR_SUCCESS,
 *         ERROR_INVALID_PARAMETER (the map is wrong, or the options),
 *         ERROR_ACCESS_DENIED (not elevated),
 *         ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND (no DLL),
 *         ERROR_BAD_EXE_FORMAT (no DLL of this architecture),
 *         ERROR_PROC_NOT_FOUND (not a provider: an export is missing),
 *         ERROR_ALREADY_EXISTS (a Performance key that is not ours),
 *         ERROR_INVALID_OWNER (a folder that others made), ERROR_DIRECTORY (a file or a link where
 *         the folder should be),
 *         ERROR_INVALID_ACL (ordinary users can exchange the DLL or the data folder),
 *         ERROR_INVALID_DATA (loadperf said success but the titles are not there),
 *         or what the system answered. A PRFDATA_STEP_FAILED line says more.
 * Threads: any; two calls at once follow one another.
 */
uint32_t prfdata_install(const prfdata_map *map, const prfdata_install_options *options);

/*
 * Remove what prfdata_install() made for the service of `map`, in whatever version: titles, keys,
 * region files, folders. Nothing else is touched; the DLL stays.
 *
 * options  `step`, `context` and `data_path` count (the registered folder goes before it). May be
 *          NULL.
 *
 * Returns ERROR_SUCCESS,
 *         ERROR_SHARING_VIOLATION (unregistered, but a PRFDATA_STEP_LEFT line names what is still
 *         in use; call again when its user has ended),
 *         ERROR_FILE_NOT_FOUND (nothing there), ERROR_INVALID_PARAMETER (the service name),
 *         ERROR_ACCESS_DENIED (not elevated), ERROR_ALREADY_EXISTS (a Performance key that is not
 *         ours), or what the system answered.
 * Threads: any; two calls at once follow one another.
 */
uint32_t prfdata_uninstall(const prfdata_map *map, const prfdata_install_options *options);

/*
 * Report how the service of `map` is registered, in the layout of `lodctr /Q`, and what is wrong.
 * Needs no elevation.
 *
 * options  `step` and `context` count: a line with what is wrong comes as PRFDATA_STEP_FAILED, all
 *          others as PRFDATA_STEP_SAME. May be NULL.
 *
 * Returns ERROR_SUCCESS (registered, as the map says),
 *         ERROR_FILE_NOT_FOUND (not registered),
 *         ERROR_ALREADY_EXISTS (registered by others),
 *         ERROR_REVISION_MISMATCH (another version of the map),
 *         ERROR_INVALID_DATA (broken or disabled; the lines say what), ERROR_INVALID_PARAMETER.
 * Threads: any.
 */
uint32_t prfdata_install_status(const prfdata_map *map, const prfdata_install_options *options);

/* The exit codes of prfdata_installer_main(). */
enum {
    PRFDATA_EXIT_DONE = 0,
    PRFDATA_EXIT_FAILED = 1,    /* nothing was changed, or it was changed back */
    PRFDATA_EXIT_USAGE = 2,     /* the command line is wrong */
    PRFDATA_EXIT_ELEVATE = 3,   /* needs an elevated prompt */
    PRFDATA_EXIT_LEFTOVERS = 4, /* removed, but something in use was left */
    PRFDATA_EXIT_NOT_INSTALLED = 5,
    PRFDATA_EXIT_BROKEN = 6 /* installed, but not as the map says, broken or disabled */
};

/*
 * The program: -Install, -Uninstall, -Status, -Ini, -?; its help tells the rest. With several maps
 * the exit code is that of the first command that did not end with 0.
 *
 * maps  `map_count` maps, at least one, whose services differ.
 * argv  What wmain() got. The help calls the program as argv[0] does, without folder and .exe.
 *
 * Returns the exit code.
 */
int prfdata_installer_main(const prfdata_map *const *maps, size_t map_count, int argc,
                           wchar_t **argv);

#ifdef __cplusplus
}
#endif

#endif
