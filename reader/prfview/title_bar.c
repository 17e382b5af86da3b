/* SPDX-License-Identifier: MIT */
/* The title of the window: the object, and where it is from. */
#include "prfview/app.h"

#include <stdio.h>
#include <wchar.h>

void prfdata_title_bar_update(const prfdata_app *app)
{
    const prfdata_node *node =
        prfdata_tree_object(&app->viewer.tree, app->viewer.table.object_title);
    const prfdata_text from = app->file.count > 0 ? app->file : app->viewer.computer;
    const wchar_t *dash = L" \u2013 ";
    wchar_t object[200] = L"";
    wchar_t of[300] = L"";
    wchar_t title[560];

    if (node)
        prfdata_strings_text(node->name, object, 200);
    prfdata_strings_text(from, of, 300);
    swprintf(title, 560, L"%ls%ls%ls%ls%ls", object, node ? dash : L"", of,
             from.count > 0 ? dash : L"", prfdata_strings_get(IDS_TITLE));
    SetWindowTextW(app->window, title);
}
