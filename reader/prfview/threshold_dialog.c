/* SPDX-License-Identifier: MIT */
/* Asks until the answer is a condition, or the user cancels. */
#include "prfview/threshold_dialog.h"

#include "prfview/focused_counter.h"
#include "prfview/name_dialog.h"

#define CONDITION_CHARS 60

/* Put the current threshold as the user would type it. */
static void put_present(prfdata_app *app, const prfdata_chart_key *key,
                        wchar_t text[CONDITION_CHARS])
{
    prfdata_output output = {0};
    uint16_t chars[CONDITION_CHARS];
    prfdata_text condition = {chars, 0};

    prfdata_viewer_put_threshold(&app->viewer, key->object_title, key->counter_title, &output);
    if (!output.failed)
        condition.count =
            prfdata_text_from_utf8(output.bytes, output.used, chars, CONDITION_CHARS - 1);
    prfdata_strings_text(condition, text, CONDITION_CHARS);
    prfdata_output_free(&output);
}

/* Put the text of the label: what to enter, with examples, and the path of the counter for all
 * instances. An example is hexadecimal if the counter's values are. */
static void put_label(prfdata_app *app, const prfdata_chart_key *key, wchar_t *text)
{
    prfdata_output path = {0};
    prfdata_chart_key counter = *key;
    uint16_t chars[200];
    prfdata_text name = {chars, 0};
    wchar_t wide[200];

    counter.label = (prfdata_text){NULL, 0};
    prfdata_details_put_path(&path, &counter, &app->viewer.titles, false);
    name.count = prfdata_text_from_utf8(path.bytes, path.used, chars, 199);
    prfdata_strings_format(
        text,
        prfdata_viewer_is_hex(&app->viewer, key->object_title, key->counter_title)
            ? IDS_THRESHOLD_LABEL_HEX
            : IDS_THRESHOLD_LABEL,
        prfdata_strings_text(name, wide, 200), NULL, NULL);
    prfdata_output_free(&path);
}

void prfdata_threshold_dialog_run(prfdata_app *app)
{
    wchar_t label[PRFDATA_STRINGS_CHARS];
    wchar_t condition[CONDITION_CHARS];
    prfdata_chart_key key = {0};

    if (!prfdata_focused_counter_find(app, &key))
        return;
    put_label(app, &key, label);
    put_present(app, &key, condition);
    while (prfdata_name_dialog_ask(app->window, &app->theme, IDS_THRESHOLD_TITLE, label, condition,
                                   CONDITION_CHARS)) {
        if (prfdata_viewer_set_threshold(&app->viewer, key.object_title, key.counter_title,
                                         prfdata_strings_borrow(condition)))
            return;
        MessageBoxW(app->window, prfdata_strings_get(IDS_THRESHOLD_WRONG),
                    prfdata_strings_get(IDS_TITLE), MB_OK | MB_ICONWARNING);
    }
}
