/* SPDX-License-Identifier: MIT */
/* Puts the object, and the file or the computer, into the title of the window. */
#include "prfview/title_bar.h"

#include <stdio.h>
#include <wchar.h>

#include "panes/strings.h"

void prfdata_title_bar_update(HWND window, const prfdata_viewer *viewer, prfdata_text file)
{
    const prfdata_node *node = prfdata_tree_object(&viewer->tree, viewer->table.object_title);
    const prfdata_text from = file.count > 0 ? file : viewer->computer;
    const wchar_t *dash = L" \u2013 ";
    wchar_t object[200] = L"";
    wchar_t of[300] = L"";
    wchar_t title[560];

    if (node)
        prfdata_strings_text(node->name, object, 200);
    prfdata_strings_text(from, of, 300);
    swprintf(title, 560, L"%ls%ls%ls%ls%ls", object, node ? dash : L"", of,
             from.count > 0 ? dash : L"", prfdata_strings_get(IDS_TITLE));
    SetWindowTextW(window, title);
}
