/* SPDX-License-Identifier: MIT */
/*
 * Examines the registration of a service. Each doctor_<part>.c examines one part, and adds what it
 * finds to the diagnosis. The examination changes nothing, except that doctor_publish.c makes a
 * region file and deletes it. Windows only.
 */
#ifndef PRFDATA_DOCTOR_H
#define PRFDATA_DOCTOR_H

#include <prfdata/install.h>

#include "diagnosis/diagnosis.h"
#include "diagnosis/event_record.h"
#include "map/maps.h"
#include "service/site.h"
#include "system/os.h"
#include "titles/service_key.h"
#include "windows/account.h"

typedef struct prfdata_doctor {
    prfdata_diagnosis diagnosis;
    const prfdata_map *map;
    const prfdata_install_options *options; /* not NULL */
    uint32_t helper_timeout_ms;             /* the timeout of the options, or the default */
    prfdata_service_key key;
    prfdata_value_list values; /* values of the Performance key */
    /*
     * Model of the current registered map. NULL if the value Maps is missing or invalid, if it has
     * a later format, or if the map is of another service.
     */
    prfdata_model *installed;
    /*
     * Models of the registered maps. The first one is the current one, or NULL if the current map
     * cannot be read. Then come the earlier maps that can be read.
     */
    prfdata_model *models[1 + PRFDATA_MAX_MAPS];
    uint32_t model_count;    /* 0 before the maps are read */
    uint32_t map_difference; /* ERROR_REVISION_MISMATCH if this program has another map */
    wchar_t dll[MAX_PATH];   /* the registered DLL, expanded; "" if there is none */
    uint16_t dll_machine;    /* 0 if it is not known */
    /*
     * The DLL is a provider for this system, its content matches its name, and no attempt to load
     * it has failed.
     */
    bool dll_is_right;
    /*
     * Whether the DLL may be loaded. It may if only administrators can change it, or if this
     * process is not elevated or runs under Wine. False if the access rights are not known.
     */
    bool dll_is_safe;
    bool folder_is_right;
    wchar_t moved[MAX_PATH]; /* the renamed regions folder that -Repair can rename back; "": none */
} prfdata_doctor;

/*
 * Examine the service of a map.
 *
 * doctor   Receives the results; release it with prfdata_doctor_done(), even after a failure.
 * options  Borrowed, like the map.
 *
 * Returns ERROR_SUCCESS; ERROR_NOT_ENOUGH_MEMORY (findings may be missing); or the system's error
 *         if the keys cannot be read, or the files cannot be examined as the account of the
 *         process. The step function of the options also gets that error.
 */
uint32_t prfdata_doctor_examine(prfdata_doctor *doctor, const prfdata_map *map,
                                const prfdata_install_options *options);
void prfdata_doctor_done(prfdata_doctor *doctor);

/* Return the value that prfdata_install_status() returns for the diagnosis. */
uint32_t prfdata_doctor_verdict(const prfdata_doctor *doctor);

/* ---- The parts, in their order ---- */

void prfdata_doctor_key_examine(prfdata_doctor *doctor);
void prfdata_doctor_map_examine(prfdata_doctor *doctor);
void prfdata_doctor_titles_examine(prfdata_doctor *doctor);
void prfdata_doctor_dll_examine(prfdata_doctor *doctor);
void prfdata_doctor_folder_examine(prfdata_doctor *doctor);
/*
 * Open a regions folder if -Install could have created it. The folder and its parent must not be
 * links. Administrators or SYSTEM must own them, and they must have the access lists that -Install
 * gives them. The checks are needed because every user may create folders in ProgramData. `site`
 * stays open on success, so that nobody replaces the folders; close it with prfdata_site_close().
 */
bool prfdata_doctor_own_open(const prfdata_doctor *doctor, const wchar_t *path, prfdata_site *site);
/*
 * Search for other folders in which programs publish, and report them. The search covers the
 * folders next to the regions folder. It also covers the folder with the name of the service in
 * each folder next to the data folder.
 *
 * usual          The default regions folder, which is left out because doctor_folder.c examines it.
 * may_move_back  Whether a found folder may be the renamed regions folder. If so, and if -Repair
 *                can rename it back, `moved` is set.
 *
 * Returns whether `moved` was set. If so, the regions folder needs no further examination.
 */
bool prfdata_doctor_moved_examine(prfdata_doctor *doctor, const wchar_t *regions,
                                  const wchar_t *usual, bool may_move_back);
/*
 * Rename the folder `moved` back. Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (`moved` or the value
 * Regions is missing), ERROR_INVALID_OWNER (-Install could not have created the folder, or no
 * program publishes there), ERROR_DIR_NOT_EMPTY (another folder has the former name, and is not
 * empty), or the system's error.
 */
uint32_t prfdata_doctor_moved_back(prfdata_doctor *doctor);
/* Returns whether a program publishes in a folder. */
bool prfdata_doctor_moved_is_live(const prfdata_doctor *doctor, const wchar_t *folder);
/* Returns whether a program publishes in a folder that -Install could have created. */
bool prfdata_doctor_moved_is_live_and_own(const prfdata_doctor *doctor, const wchar_t *path);
void prfdata_doctor_regions_examine(prfdata_doctor *doctor);
/* The region files of this boot that one account owns. */
typedef struct prfdata_doctor_share {
    wchar_t account[PRFDATA_ACCOUNT_CHARS];
    unsigned long files;
    uint64_t bytes;
} prfdata_doctor_share;
/* Find the account with the most files, or with the most bytes, in a regions folder. */
void prfdata_doctor_shares_largest(prfdata_os_directory *directory, const wchar_t *folder,
                                   uint64_t boot, bool by_bytes, prfdata_doctor_share *largest);
/*
 * Report each object of which the running programs have more instances than fit into a reply. Also
 * report the account that has the most of these instances.
 *
 * names      Region files of this boot.
 * instances  For each object of the installed map, the number of its instances in the regions that
 *            readers show.
 */
void prfdata_doctor_shares_examine_instances(prfdata_doctor *doctor,
                                             prfdata_os_directory *directory, uint64_t boot,
                                             const prfdata_os_name *names, size_t count,
                                             const uint64_t *instances);
/*
 * Readers need memory to convert the regions of programs with earlier versions of the map. Each
 * account gets a share of this memory. Of the accounts that need more than their share, report the
 * one that needs the most. `names` are region files of this boot.
 */
void prfdata_doctor_shares_examine_copies(prfdata_doctor *doctor, prfdata_os_directory *directory,
                                          uint64_t boot, const prfdata_os_name *names,
                                          size_t count);
void prfdata_doctor_publish_examine(prfdata_doctor *doctor);
void prfdata_doctor_events_examine(prfdata_doctor *doctor);
void prfdata_doctor_system_examine(prfdata_doctor *doctor);
void prfdata_doctor_reader_examine(prfdata_doctor *doctor);

/* Add the events of a history. doctor->dll has the texts of the provider's own events. */
void prfdata_doctor_events_show(prfdata_doctor *doctor, const prfdata_event_history *history);

#endif
