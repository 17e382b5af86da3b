/* SPDX-License-Identifier: MIT */
/*
 * Starts prfview, which shows performance counters in a window: reads the command line, starts what
 * it asks for, and runs the message loop.
 */
#include "os/program.h"
#include "prfview/app.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/version.h>

#include "channels/console.h"
#include "prfview/changes.h"
#include "prfview/commands.h"
#include "prfview/documents.h"
#include "prfview/main_window.h"
#include "source/child.h"

#include <objbase.h>
#include <shellapi.h>

#define FIRST_INTERVAL_MS 1000u

/* Show a text about the command line in the console. If there is no console, show it in a message
 * box. */
static void show_usage(const wchar_t *text, bool is_error)
{
    if (!prfdata_console_say(text))
        MessageBoxW(NULL, text, prfdata_strings_get(IDS_TITLE),
                    MB_OK | (is_error ? MB_ICONERROR : MB_ICONINFORMATION));
}

static void show_version(void)
{
    wchar_t line[64];

    (void)swprintf(line, sizeof line / sizeof line[0], L"prfview %hs\n", PRFDATA_VERSION);
    show_usage(line, false);
}

static int refuse_command_line(const prfdata_arguments_error *error)
{
    wchar_t text[PRFDATA_STRINGS_CHARS];
    wchar_t argument[200];
    wchar_t *reason = prfdata_strings_wide(error->reason, strlen(error->reason));

    show_usage(prfdata_strings_format(text, IDS_BAD_ARGUMENT,
                                      prfdata_strings_text(error->argument, argument, 200),
                                      reason ? reason : L"", NULL),
               true);
    free(reason);
    return 2;
}

/*
 * Returns whether a key must move from cell to cell, instead of scrolling the list view by some
 * pixels.
 */
static bool is_column_key(const prfdata_app *app, WPARAM key)
{
    return (key == VK_LEFT || key == VK_RIGHT) && GetFocus() == app->parts[PRFDATA_APP_TABLE] &&
           app->viewer.table.has_instances && GetKeyState(VK_CONTROL) >= 0 &&
           GetKeyState(VK_MENU) >= 0;
}

/* Returns whether the message is Enter in the tree or the table. IsDialogMessage() must not get
 * this message, because it would send Enter to a default button, which the window does not have. */
static bool is_enter_of_list(const prfdata_app *app, const MSG *message)
{
    HWND focus = GetFocus();

    return message->message == WM_KEYDOWN && message->wParam == VK_RETURN &&
           (focus == app->parts[PRFDATA_APP_TREE] || focus == app->parts[PRFDATA_APP_TABLE]);
}

/* Run the message loop. IsDialogMessage() moves the focus with Tab, and takes no keys that a
 * control wants. */
static int run_messages(prfdata_app *app)
{
    HACCEL keys = prfdata_commands_accelerators();
    MSG message;

    while (GetMessageW(&message, NULL, 0, 0) > 0) {
        const bool is_typing = GetFocus() == app->parts[PRFDATA_APP_SEARCH];

        prfdata_table_columns_relay(&app->table.columns, &message);
        if (message.message == WM_KEYDOWN && message.wParam == VK_ESCAPE && is_typing) {
            SetWindowTextW(app->parts[PRFDATA_APP_SEARCH], L"");
            continue;
        }
        if (message.message == WM_KEYDOWN && message.wParam == VK_DOWN && is_typing) {
            SetFocus(app->parts[PRFDATA_APP_TREE]);
            continue;
        }
        if (message.message == WM_KEYDOWN && is_column_key(app, message.wParam)) {
            prfdata_table_pane_step_column(&app->table, message.wParam == VK_LEFT ? -1 : 1);
            continue;
        }
        if (TranslateAcceleratorW(app->window, keys, &message) ||
            (!is_enter_of_list(app, &message) && IsDialogMessageW(app->window, &message)))
            continue;
        TranslateMessage(&message);
        DispatchMessageW(&message);
    }
    DestroyAcceleratorTable(keys);
    return 0;
}

static void free_app(prfdata_app *app)
{
    prfdata_viewer_free(&app->viewer);
    prfdata_table_pane_free(&app->table);
    prfdata_column_notes_free(&app->table.columns.notes);
    prfdata_text_free(&app->file);
    prfdata_opened_files_free(&app->opened);
    prfdata_text_free(&app->remote);
    prfdata_theme_free(&app->theme);
}

static void init_app(prfdata_app *app, HINSTANCE instance, const prfdata_view_options *options)
{
    app->instance = instance;
    app->options = options;
    app->table_part = 340;
    prfdata_changes_observe(app, PRFDATA_DOCUMENTS_LIVE_BYTES);
    prfdata_viewer_set_interval(&app->viewer,
                                options->interval_ms ? options->interval_ms : FIRST_INTERVAL_MS);
    for (size_t i = 0; i < options->name_count; i++)
        prfdata_viewer_add_name(&app->viewer, options->names[i]);
    app->style = prfdata_strings_number_style();
    app->viewer.style = app->style;
    prfdata_theme_force(options->is_dark);
}

static void open_files(prfdata_app *app)
{
    if (prfdata_documents_open(app, app->options->file) && app->options->newer.count > 0)
        prfdata_documents_append(app, app->options->newer);
}

static int run_window(HINSTANCE instance, const prfdata_view_options *options, int show)
{
    const INITCOMMONCONTROLSEX controls = {sizeof controls, ICC_TREEVIEW_CLASSES |
                                                                ICC_LISTVIEW_CLASSES |
                                                                ICC_TAB_CLASSES | ICC_BAR_CLASSES};
    static prfdata_app app;
    int exit_code = 1;

    InitCommonControlsEx(&controls);
    (void)CoInitializeEx(NULL, COINIT_APARTMENTTHREADED);
    init_app(&app, instance, options);
    if (prfdata_main_window_create(&app, show)) {
        if (options->file.count == 0)
            prfdata_documents_read_computer(&app, prfdata_view_options_computer(options));
        else
            open_files(&app);
        exit_code = run_messages(&app);
    }
    free_app(&app);
    CoUninitialize();
    return exit_code;
}

int WINAPI wWinMain(HINSTANCE hInstance, HINSTANCE hPrevInstance, LPWSTR lpCmdLine, int nShowCmd)
{
    static prfdata_view_options options;
    prfdata_arguments_error error = {{NULL, 0}, ""};
    int count = 0;
    wchar_t **arguments;
    int exit_code;

    (void)hPrevInstance;
    (void)lpCmdLine;
    prfdata_program_keep_dlls_out();
    prfdata_strings_use_words();
    arguments = CommandLineToArgvW(GetCommandLineW(), &count);
    if (!arguments || count < 1)
        return 1;
    if (!prfdata_view_options_parse((size_t)count - 1, (const uint16_t *const *)(arguments + 1),
                                    &options, &error)) {
        exit_code = refuse_command_line(&error);
    } else if (options.is_reader) {
        exit_code = prfdata_child_run(options.reader_handles[0], options.reader_handles[1],
                                      options.computer);
    } else if (options.version) {
        show_version();
        exit_code = 0;
    } else if (options.help) {
        show_usage(prfdata_strings_get(IDS_USAGE), false);
        exit_code = 0;
    } else {
        exit_code = run_window(hInstance, &options, nShowCmd);
    }
    LocalFree(arguments);
    return exit_code;
}
