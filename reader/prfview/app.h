/* SPDX-License-Identifier: MIT */
/*
 * Holds the state of the window, which the files of this folder share. Only the window's thread
 * uses it.
 */
#ifndef PRFDATA_READER_APP_H
#define PRFDATA_READER_APP_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#include <commctrl.h>

#include "channels/reading.h"
#include "channels/record.h"
#include "panes/chart_pane.h"
#include "panes/details_pane.h"
#include "panes/hint_pane.h"
#include "panes/legend_pane.h"
#include "panes/resource.h"
#include "panes/status_bar.h"
#include "panes/strings.h"
#include "panes/table_pane.h"
#include "panes/theme.h"
#include "panes/tree_pane.h"
#include "viewer/column_sets.h"
#include "viewer/emptiness.h"
#include "viewer/opened_files.h"
#include "viewer/view_options.h"
#include "viewer/viewer.h"

/* The page that is shown in the lower right of the window. */
typedef enum prfdata_app_page {
    PRFDATA_APP_CHART,
    PRFDATA_APP_HISTOGRAM,
    PRFDATA_APP_DETAILS
} prfdata_app_page;

/* The parts of the window, in the order of the Tab key. */
typedef enum prfdata_app_part {
    PRFDATA_APP_SEARCH,
    PRFDATA_APP_INTERVAL,
    PRFDATA_APP_PAUSE,
    PRFDATA_APP_REFRESH,
    PRFDATA_APP_TREE,
    PRFDATA_APP_TABLE,
    PRFDATA_APP_TABS,
    PRFDATA_APP_PLOT,
    PRFDATA_APP_LEGEND,
    PRFDATA_APP_BYTES, /* the details */
    PRFDATA_APP_PARTS
} prfdata_app_part;

typedef enum prfdata_app_menu {
    PRFDATA_APP_BAR,
    PRFDATA_APP_TREE_MENU, /* this menu and the next two appear at the pointer, or with Shift+F10 */
    PRFDATA_APP_TABLE_MENU,
    PRFDATA_APP_CHART_MENU,
    PRFDATA_APP_MENUS
} prfdata_app_menu;

typedef struct prfdata_app {
    HINSTANCE instance;
    HWND window;
    HWND parts[PRFDATA_APP_PARTS];
    HWND labels[PRFDATA_APP_PARTS]; /* NULL: the part shows its name itself, as a button does */
    HWND focus; /* the part that had the focus when another window became active; NULL: none */
    HWND tools; /* toolbar of the most important commands */
    HWND tips;  /* the control for the tips of the buttons next to the toolbar */
    prfdata_status_bar status;
    prfdata_tree_pane tree;
    prfdata_table_pane table;
    prfdata_hint_pane hint; /* shown in place of an empty table */
    prfdata_plot plot;
    prfdata_legend_pane legend;
    prfdata_details_pane details;
    HMENU menus[PRFDATA_APP_MENUS];
    prfdata_theme theme;
    prfdata_number_style style;

    prfdata_reading *reading; /* NULL: a file or nothing is shown */
    prfdata_reading *former;  /* the previous reading, which has ended; its titles are shown until
                                 those of `reading` are loaded; NULL: none */
    prfdata_text file;        /* path of the shown file; owned; empty: no file is shown */
    prfdata_opened_files opened;
    prfdata_text remote; /* name of the other computer that is read; owned; empty: this computer or
                            a file is read */

    wchar_t unreached[400]; /* why the other computer cannot be read; empty: no problem is known */
    prfdata_viewer viewer;
    prfdata_record *record;              /* NULL: nothing is being recorded */
    prfdata_object_search object_search; /* the search for all objects */

    prfdata_app_page page;
    int32_t tree_width;        /* in pixels of the window's DPI */
    int32_t table_part;        /* the table's share of the height, in thousandths */
    bool is_table_part_chosen; /* the user has set table_part */
    int32_t legend_height;     /* in pixels, chosen by the user; 0: not chosen */
    bool has_rows;
    bool had_lines; /* the chart has had lines; until then the table gets more room */
    int splitting;  /* the splitter that the user holds: 0: none, 1: next to the tree, 2: below the
                       table, 3: above the legend */
    HWND dragged_from; /* part whose counter is being dragged to the chart; NULL: none */
    prfdata_column_sets column_sets;
    const prfdata_view_options *options;
    bool is_restored; /* the remembered settings were read */
} prfdata_app;

#endif
