/* SPDX-License-Identifier: MIT */
/*
 * Declares the steps of an installation. Each step changes only what differs, and can be undone,
 * even after it failed halfway. Three repairs are not undone: of the DLL's copy, of Linkage, and of
 * the event source's value TypesSupported. install.c decides the order of the steps. Windows only.
 */
#ifndef PRFDATA_INSTALLING_H
#define PRFDATA_INSTALLING_H

#include <prfdata/install.h>

#include "report/report.h"
#include "service/dll_copy.h"
#include "service/event_source.h"
#include "service/prepared.h"
#include "service/registered.h"
#include "service/site.h"
#include "titles/service_key.h"

typedef struct prfdata_installing {
    prfdata_report report;
    prfdata_install_options options; /* omitted options have their previous values */
    prfdata_prepared wanted;
    prfdata_registered before;
    prfdata_service_key key;
    prfdata_site site;
    void *maps; /* the value Maps that will be written */
    size_t maps_size;
    uint32_t maps_dropped; /* registered maps that `maps` does not contain */

    /* what this installation did */
    prfdata_dll_copy_change dll_change;
    bool titles_unloaded;
    /* the numbers of the titles were corrected or removed, or Object List was corrected */
    bool numbers_changed;
    bool key_created;
    wchar_t values_written[160]; /* their names, separated by commas */
    bool linked;
    prfdata_event_source_change source_change;
    bool titles_loaded;
    bool changed;
} prfdata_installing;

typedef struct prfdata_install_step {
    uint32_t (*run)(prfdata_installing *work);
    void (*undo)(prfdata_installing *work);
} prfdata_install_step;

/* Folders and files (install_files.c). */
extern const prfdata_install_step prfdata_install_data_folder;
extern const prfdata_install_step prfdata_install_regions_folder;
extern const prfdata_install_step prfdata_install_dll_copy;
extern const prfdata_install_step prfdata_install_title_files;

/* The registry (install_registry.c). */
extern const prfdata_install_step prfdata_install_key;
extern const prfdata_install_step prfdata_install_values; /* all except Library */
extern const prfdata_install_step prfdata_install_linkage;
extern const prfdata_install_step prfdata_install_source;
/* the last step, because Windows calls the DLL as soon as Library exists */
extern const prfdata_install_step prfdata_install_library;

/* The title database (install_titles.c). prfdata_install_unload unloads the earlier titles. */
extern const prfdata_install_step prfdata_install_unload;
extern const prfdata_install_step prfdata_install_load;

#endif
