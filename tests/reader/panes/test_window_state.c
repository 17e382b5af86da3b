/* SPDX-License-Identifier: MIT */
/* Tests that hidden windows stay hidden, and do not keep the focus. The windows are message-only
 * windows, which Wine can make without a screen. Windows only. */
#include <windows.h>

#include "support/test.h"

#include "panes/window_state.h"
#include "support/import_table.h"

static HWND pane, button, next;
static HWND focus;
static bool is_pane_shown_without_focus;

/* learn.microsoft.com, "WM_SETREDRAW message": if redraw is switched on, the window gets the style
 * WS_VISIBLE. Some of Wine's controls do not get the style, so this procedure sets it. */
static LRESULT CALLBACK pane_procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    const LONG_PTR style = GetWindowLongPtrW(window, GWL_STYLE);

    if (message != WM_SETREDRAW)
        return DefWindowProcW(window, message, wparam, lparam);
    SetWindowLongPtrW(window, GWL_STYLE, wparam ? style | WS_VISIBLE : style & ~WS_VISIBLE);
    return 0;
}

static bool is_shown(HWND window)
{
    return (GetWindowLongW(window, GWL_STYLE) & WS_VISIBLE) != 0;
}

static HWND WINAPI get_focus(void)
{
    return focus;
}

static HWND WINAPI set_focus(HWND window)
{
    is_pane_shown_without_focus = is_shown(pane);
    focus = window;
    return NULL;
}

/* A message-only window has no children, so the button only acts as one. */
/* cppcheck-suppress constParameter; Windows declares this type */
static BOOL WINAPI is_child(HWND parent, HWND child)
{
    return parent == pane && child == button;
}

static HWND make_window(void)
{
    HWND made = CreateWindowExW(0, L"TestPane", L"", 0, 0, 0, 9, 9, HWND_MESSAGE, NULL, NULL, NULL);

    assert_non_null(made);
    return made;
}

static int make_windows(void **state)
{
    const WNDCLASSW class_of_pane = {.lpfnWndProc = pane_procedure, .lpszClassName = L"TestPane"};

    (void)state;
    (void)RegisterClassW(&class_of_pane);
    pane = make_window();
    button = make_window();
    next = make_window();
    focus = NULL;
    import_table_replace("user32.dll", "GetFocus",
                         (import_table_function)(void (*)(void))get_focus);
    import_table_replace("user32.dll", "SetFocus",
                         (import_table_function)(void (*)(void))set_focus);
    import_table_replace("user32.dll", "IsChild", (import_table_function)(void (*)(void))is_child);
    return 0;
}

static int destroy_windows(void **state)
{
    (void)state;
    return DestroyWindow(pane) && DestroyWindow(button) && DestroyWindow(next) ? 0 : -1;
}

static void test_window_state_hidden_window_stays_hidden(void **state)
{
    bool was_held;

    (void)state;
    was_held = prfdata_window_state_hold(pane);
    prfdata_window_state_paint(pane, was_held);
    assert_false(is_shown(pane));
    prfdata_window_state_show(pane, true, NULL);
    assert_true(is_shown(pane));
    was_held = prfdata_window_state_hold(pane);
    assert_false(is_shown(pane));
    prfdata_window_state_paint(pane, was_held);
    assert_true(is_shown(pane));
}

/* The focus moves before the window is hidden, because Windows would leave the focus in it. */
static void test_window_state_hidden_window_keeps_no_focus(void **state)
{
    HWND focused[] = {pane, button};

    (void)state;
    for (int i = 0; i < 2; i++) {
        prfdata_window_state_show(pane, true, NULL);
        focus = focused[i];
        is_pane_shown_without_focus = false;
        prfdata_window_state_show(pane, false, next);
        assert_ptr_equal(focus, next);
        assert_true(is_pane_shown_without_focus);
        assert_false(is_shown(pane));
    }
    focus = next; /* the focus is outside of the window that is hidden */
    prfdata_window_state_show(pane, true, NULL);
    prfdata_window_state_show(pane, false, button);
    assert_ptr_equal(focus, next);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_windows, destroy_windows)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_window_state_hidden_window_stays_hidden),
        TEST(test_window_state_hidden_window_keeps_no_focus),
    };

    return cmocka_run_group_tests_name("window_state", tests, NULL, NULL);
}
