/* SPDX-License-Identifier: MIT */
/*
 * The window's state, which its files share: handles, the models of reader/view, and which sample
 * is looked at. Only the window's thread touches it.
 */
#ifndef PRFDATA_READER_APP_H
#define PRFDATA_READER_APP_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#include <commctrl.h>

#include "prfview/chart_pane.h"
#include "prfview/details_pane.h"
#include "prfview/legend_pane.h"
#include "prfview/reading.h"
#include "prfview/record.h"
#include "prfview/resource.h"
#include "prfview/status_bar.h"
#include "prfview/strings.h"
#include "prfview/table_pane.h"
#include "prfview/theme.h"
#include "prfview/tree_pane.h"
#include "view/view_options.h"
#include "view/viewer.h"

/* A message that the window sends itself: begin again with this source, outside of what it does
 * now. */
#define PRFDATA_APP_READ_AGAIN (WM_APP + 20)

/* What fills the lower right. */
typedef enum prfdata_app_page {
    PRFDATA_APP_CHART,
    PRFDATA_APP_HISTOGRAM,
    PRFDATA_APP_DETAILS
} prfdata_app_page;

/* Parts of the window that have the focus in turn. */
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
    PRFDATA_APP_TREE_MENU, /* the others come up at the pointer, or with Shift+F10 */
    PRFDATA_APP_TABLE_MENU,
    PRFDATA_APP_CHART_MENU,
    PRFDATA_APP_MENUS
} prfdata_app_menu;

typedef struct prfdata_app {
    HINSTANCE instance;
    HWND window;
    HWND parts[PRFDATA_APP_PARTS];
    HWND labels[PRFDATA_APP_PARTS]; /* NULL: the part is its own label */
    prfdata_status_bar status;
    prfdata_tree_pane tree;
    prfdata_table_pane table;
    prfdata_plot plot;
    prfdata_legend_pane legend;
    prfdata_details_pane details;
    HMENU menus[PRFDATA_APP_MENUS];
    prfdata_theme theme;
    prfdata_number_style style;

    prfdata_reading *reading; /* NULL: a file is shown */
    prfdata_text file;        /* its path; owned; empty: live */
    prfdata_text remote;      /* another computer that is read; owned; empty: this one, or a file */

    prfdata_viewer viewer;
    prfdata_record *record; /* NULL: nothing is recorded */

    prfdata_app_page page;
    uint32_t interval_ms;
    int32_t tree_width;        /* in pixels of the window's DPI */
    int32_t table_part;        /* of the height, in thousandths */
    bool is_table_part_chosen; /* by the user */
    bool had_lines;            /* the chart, once; until then the table has its room */
    int splitting;             /* 0: no, 1: beside the tree, 2: below the table */
    HWND dragged_from;         /* the part whose counter is dragged to the chart; NULL: none */
    const prfdata_view_options *options;
    bool is_restored; /* what the window remembers was read */
} prfdata_app;

/* ---- main_window.c ---- */

/* Make the window with everything in it; NULL: it cannot be made. */
HWND prfdata_main_window_create(prfdata_app *app, int show);

/* ---- parts.c ---- */

/* Make the parts; they are placed later. */
void prfdata_parts_create(prfdata_app *app);

/* Take the system's colours and fonts, also after they changed. dpi 0: that of the window. */
void prfdata_parts_apply_theme(prfdata_app *app, uint32_t dpi);

/* ---- arrangement.c ---- */

/* Give the window its first size, and the tree its width. */
void prfdata_arrangement_begin(prfdata_app *app);

/* Place the parts. */
void prfdata_arrangement_update(prfdata_app *app);

/* The splitter at a place of the window: 0: none, 1: beside the tree, 2: below the table. */
int prfdata_arrangement_splitter_at(const prfdata_app *app, int32_t x, int32_t y);

/* Move the splitter that is held, app->splitting, to a place. */
void prfdata_arrangement_move_splitter(prfdata_app *app, int32_t x, int32_t y);

/* ---- incoming.c ---- */

/* Take a message of the thread that reads. Returns false if it is another message. */
bool prfdata_incoming_take(prfdata_app *app, UINT message, WPARAM wparam, LPARAM lparam);

/* ---- changes.c: what follows of what the viewer shows ---- */

/* Begin with a viewer that the window follows. */
void prfdata_changes_observe(prfdata_app *app, size_t timeline_bytes);

/* Show a source; its titles and computer are in the viewer. */
void prfdata_changes_begin(prfdata_app *app);

/* Forget the source. */
void prfdata_changes_end(prfdata_app *app);

/* ---- pages.c ---- */

/* Show a page of the lower right. */
void prfdata_pages_show(prfdata_app *app, prfdata_app_page page);

/* ---- interval.c ---- */

uint32_t prfdata_interval_of_menu(uint32_t index); /* in ms */
const wchar_t *prfdata_interval_text(prfdata_number_style style, uint32_t interval_ms,
                                     wchar_t text[PRFDATA_STRINGS_CHARS]); /* returns `text` */
/* Read so often; the list shows it, also if it is none of the menu's. */
void prfdata_interval_set(prfdata_app *app, uint32_t interval_ms);
/* The button says what it would do now. */
void prfdata_interval_show_pause(const prfdata_app *app);

/* ---- focused_counter.c ---- */

/* The counter that a command is about: of the part that has the focus. Returns false if none. */
bool prfdata_focused_counter_find(const prfdata_app *app, prfdata_chart_key *key);

/* ---- commands.c ---- */

HMENU prfdata_commands_menu(const prfdata_app *app);
HACCEL prfdata_commands_accelerators(void);
void prfdata_commands_run(prfdata_app *app, uint32_t command);
void prfdata_commands_update_menu(prfdata_app *app);

/* ---- popup_menus.c ---- */

/* Make the menus that come up at a part of the window. */
void prfdata_popup_menus_make(prfdata_app *app);
/* Show the menu of a part at a place of the screen; -1, -1: at what has the focus in it. */
void prfdata_popup_menus_show(prfdata_app *app, HWND part, int32_t x, int32_t y);

/* ---- copying.c ---- */

/* Run IDC_COPY, which depends on the focus, IDC_COPY_PATH or IDC_COPY_COMMAND. */
void prfdata_copying_run(const prfdata_app *app, uint32_t command);

/* ---- documents.c ---- */

/* Open a saved block or a recording instead of what is shown. Failures are shown. */
bool prfdata_documents_open(prfdata_app *app, prfdata_text path);
/* Begin again with the computer that is read: other counters are installed, or have other names. */
void prfdata_documents_read_again(prfdata_app *app);
/* Read a computer instead of what is shown; empty: this one. */
void prfdata_documents_read_computer(prfdata_app *app, prfdata_text computer);
/* Add the samples of a newer file of the same computer. */
void prfdata_documents_append(prfdata_app *app, prfdata_text path);
/* End the recording that is written now, if there is one. */
void prfdata_documents_end_record(prfdata_app *app);
/* Commands with a file. */
void prfdata_documents_run(prfdata_app *app, uint32_t command);

/* ---- remembered.c: what the window remembers ---- */

/* Read it from a workspace, whose counters replace what is shown; failures are shown. */
void prfdata_remembered_open(prfdata_app *app, const wchar_t *path);
/* Read it once, when the window begins: from -w, or from the user's own file. */
void prfdata_remembered_begin(prfdata_app *app);
/* Write it to a workspace, or to the user's own file. */
void prfdata_remembered_save(prfdata_app *app, const wchar_t *path);
void prfdata_remembered_save_own(prfdata_app *app);

#endif
