/* SPDX-License-Identifier: MIT */
/* Shows the viewer's tree in a tree view. The lParam of an item is its node. */
#include "panes/tree_pane.h"

#include <string.h>

#include "panes/strings.h"
#include "panes/window_state.h"

/* ---- Items ---- */

static prfdata_node *shown_sibling_before(const prfdata_node *node)
{
    prfdata_node *before = node->previous;

    while (before && !before->item)
        before = before->previous;
    return before;
}

static bool has_place(const prfdata_node *node)
{
    return node->is_shown && !(node->kind == PRFDATA_NODE_GROUP && node->child_count == 0);
}

static void insert_item(const prfdata_tree_pane *pane, prfdata_node *node)
{
    const prfdata_node *before = shown_sibling_before(node);
    TVINSERTSTRUCTW item = {0};

    if (node->item || !has_place(node))
        return;
    if (node->parent && !node->parent->item)
        insert_item(pane, node->parent);
    if (node->parent && !node->parent->item)
        return;
    item.hParent = node->parent ? node->parent->item : TVI_ROOT;
    item.hInsertAfter = before ? before->item : TVI_FIRST;
    item.item.mask = TVIF_TEXT | TVIF_PARAM | TVIF_CHILDREN;
    item.item.pszText = LPSTR_TEXTCALLBACKW;
    item.item.cChildren = I_CHILDRENCALLBACK;
    item.item.lParam = (LPARAM)node;
    node->item = (void *)SendMessageW(pane->window, TVM_INSERTITEMW, 0, (LPARAM)&item);
}

/* Open all nodes above an object, because users look for objects. */
static void open_group(const prfdata_tree_pane *pane, const prfdata_node *object)
{
    for (const prfdata_node *up = object->parent; up && up->item; up = up->parent)
        (void)TreeView_Expand(pane->window, (HTREEITEM)up->item, TVE_EXPAND);
}

static void note_added(void *context, prfdata_node *node)
{
    const prfdata_tree_pane *pane = context;

    insert_item(pane, node);
    if (node->kind == PRFDATA_NODE_OBJECT && node->parent->child_count == 1)
        open_group(pane, node);
}

static void note_removing(void *context, prfdata_node *node)
{
    prfdata_tree_pane *pane = context;

    if (prfdata_node_object(pane->expanding) == prfdata_node_object(node))
        pane->expanding = NULL;
    if (node->item)
        (void)TreeView_DeleteItem(pane->window, (HTREEITEM)node->item);
}

static void note_changed(void *context, prfdata_node *node)
{
    const prfdata_tree_pane *pane = context;
    RECT area;

    if (!node->item)
        return;
    /* TVM_GETITEMRECT reads the item from the memory of `area` */
    memcpy(&area, &node->item, sizeof node->item);
    if (SendMessageW(pane->window, TVM_GETITEMRECT, FALSE, (LPARAM)&area))
        InvalidateRect(pane->window, &area, FALSE);
}

/* Returns whether a node has so few children that a user would look through them. */
static bool shows_few(const prfdata_node *node)
{
    unsigned count = 0;

    for (const prfdata_node *child = node->first; child && count < 300; child = child->next)
        count += child->is_shown;
    return count < 300;
}

/*
 * Returns whether to open a node when the whole tree is shown again. During a search, a node is
 * opened if it is not a match and shows few children.
 */
static bool opens_for_search(const prfdata_tree_pane *pane, const prfdata_node *node)
{
    /* Without a search, the computer and the groups are open, and other nodes if the user has
     * expanded them. */
    if (pane->viewer->tree.search.count == 0)
        return node->is_expanded || node->kind <= PRFDATA_NODE_GROUP;
    return !node->is_match && shows_few(node);
}

void prfdata_tree_pane_reset(prfdata_tree_pane *pane)
{
    HWND view = pane->window;
    prfdata_node *selected = prfdata_tree_pane_selected(pane);
    const bool was_held = prfdata_window_state_hold(view);

    for (prfdata_node *node = pane->viewer->tree.computer; node; node = prfdata_tree_next(node))
        node->item = NULL;
    pane->expanding = NULL;
    (void)TreeView_DeleteAllItems(view);
    for (prfdata_node *node = pane->viewer->tree.computer; node; node = prfdata_tree_next(node))
        insert_item(pane, node);
    for (prfdata_node *node = pane->viewer->tree.computer; node; node = prfdata_tree_next(node)) {
        if (node->item && node->first && opens_for_search(pane, node))
            (void)TreeView_Expand(view, (HTREEITEM)node->item, TVE_EXPAND);
    }
    /* If the search has hidden the selected node, select the object that the table still shows. */
    if (!selected || !selected->item)
        selected = prfdata_tree_object(&pane->viewer->tree, pane->viewer->table.object_title);
    if (selected && selected->item)
        (void)TreeView_SelectItem(view, (HTREEITEM)selected->item);
    prfdata_window_state_paint(view, was_held);
    InvalidateRect(view, NULL, TRUE);
}

prfdata_node *prfdata_tree_pane_selected(const prfdata_tree_pane *pane)
{
    TVITEMW item = {.mask = TVIF_PARAM};

    item.hItem = TreeView_GetSelection(pane->window);
    if (!item.hItem || !SendMessageW(pane->window, TVM_GETITEMW, 0, (LPARAM)&item))
        return NULL;
    return (prfdata_node *)item.lParam;
}

void prfdata_tree_pane_select_object(const prfdata_tree_pane *pane)
{
    const prfdata_node *node =
        prfdata_tree_object(&pane->viewer->tree, pane->viewer->table.object_title);

    if (node && node->item && prfdata_node_object(prfdata_tree_pane_selected(pane)) != node)
        (void)TreeView_SelectItem(pane->window, (HTREEITEM)node->item);
}

void prfdata_tree_pane_select_at(const prfdata_tree_pane *pane, POINT at)
{
    TVHITTESTINFO hit = {.pt = at};

    ScreenToClient(pane->window, &hit.pt);
    if (TreeView_HitTest(pane->window, &hit))
        (void)TreeView_SelectItem(pane->window, hit.hItem);
}

void prfdata_tree_pane_clear(prfdata_tree_pane *pane)
{
    pane->expanding = NULL;
    (void)TreeView_DeleteAllItems(pane->window);
}

void prfdata_tree_pane_create(prfdata_tree_pane *pane, HWND parent, uint32_t id)
{
    pane->window =
        CreateWindowExW(0, WC_TREEVIEWW, prfdata_strings_get(IDS_TREE_LABEL),
                        WS_CHILD | WS_VISIBLE | WS_TABSTOP | WS_BORDER | TVS_HASBUTTONS |
                            TVS_LINESATROOT | TVS_SHOWSELALWAYS | TVS_INFOTIP | TVS_FULLROWSELECT,
                        0, 0, 0, 0, parent, (HMENU)(uintptr_t)id,
                        (HINSTANCE)GetWindowLongPtrW(parent, GWLP_HINSTANCE), NULL);
    SendMessageW(pane->window, TVM_SETEXTENDEDSTYLE, TVS_EX_DOUBLEBUFFER, TVS_EX_DOUBLEBUFFER);
    pane->viewer->tree_observer =
        (prfdata_tree_observer){pane, note_added, note_removing, note_changed};
}

void prfdata_tree_pane_apply_theme(const prfdata_tree_pane *pane)
{
    SendMessageW(pane->window, TVM_SETBKCOLOR, 0, (LPARAM)pane->theme->back);
    SendMessageW(pane->window, TVM_SETTEXTCOLOR, 0, (LPARAM)pane->theme->text);
    SendMessageW(pane->window, TVM_SETINDENT, (WPARAM)prfdata_theme_pixels(pane->theme, 19), 0);
    prfdata_theme_apply_to_control(pane->theme, pane->window);
}

void prfdata_tree_pane_begin_filling(prfdata_tree_pane *pane)
{
    pane->is_held = pane->expanding && prfdata_window_state_hold(pane->window);
}

void prfdata_tree_pane_end_filling(prfdata_tree_pane *pane)
{
    HWND view = pane->window;
    prfdata_node *node = pane->expanding;

    /* Paint again. Painting was stopped, because otherwise each change would paint the whole
     * tree. */
    prfdata_window_state_paint(view, pane->is_held);
    pane->is_held = false;
    if (!node || !node->first)
        return;
    pane->expanding = NULL;
    if (node->item)
        (void)TreeView_Expand(view, (HTREEITEM)node->item, TVE_EXPAND);
}

/* ---- Content of an item ---- */

static uint32_t absence_of(const prfdata_tree_pane *pane, const prfdata_node *node)
{
    if (node->is_silent)
        return IDS_SILENT;
    return pane->viewer->is_live ? IDS_GONE : IDS_NOT_IN_SAMPLE;
}

static void set_item_text(const prfdata_tree_pane *pane, NMTVDISPINFOW *info)
{
    const prfdata_node *node = (const prfdata_node *)info->item.lParam;
    wchar_t text[PRFDATA_STRINGS_CHARS];
    wchar_t name[300];

    if (info->item.mask & TVIF_CHILDREN)
        info->item.cChildren = prfdata_node_opens(node);
    if (!(info->item.mask & TVIF_TEXT) || info->item.cchTextMax < 1)
        return;
    if (node->kind == PRFDATA_NODE_INSTANCE && prfdata_text_equal_ascii(node->label, "*"))
        prfdata_strings_copy(name, prfdata_strings_get(IDS_ALL_INSTANCES), 300);
    else
        prfdata_strings_text(node->name, name, 300);
    if (node->is_gone || node->is_silent)
        prfdata_strings_copy(
            name, prfdata_strings_format(text, absence_of(pane, node), name, NULL, NULL), 300);
    prfdata_strings_copy(info->item.pszText, name, info->item.cchTextMax);
}

static void set_item_tip(NMTVGETINFOTIPW *tip)
{
    const prfdata_node *node = (const prfdata_node *)tip->lParam;
    const prfdata_text text = node->note.count > 0 ? node->note : node->help;

    if (tip->cchTextMax > 0)
        prfdata_strings_text(text, tip->pszText, (size_t)tip->cchTextMax);
}

static LRESULT draw_item(const prfdata_tree_pane *pane, NMTVCUSTOMDRAW *draw)
{
    const prfdata_node *node = (const prfdata_node *)draw->nmcd.lItemlParam;

    if (draw->nmcd.dwDrawStage == CDDS_PREPAINT)
        return CDRF_NOTIFYITEMDRAW;
    if (draw->nmcd.dwDrawStage == CDDS_ITEMPREPAINT && pane->theme->is_dark &&
        (draw->nmcd.uItemState & CDIS_SELECTED)) {
        draw->clrText = pane->theme->text;
        draw->clrTextBk =
            GetFocus() == draw->nmcd.hdr.hwndFrom ? pane->theme->chosen : pane->theme->lit;
    } else if (draw->nmcd.dwDrawStage == CDDS_ITEMPREPAINT && node && !pane->theme->is_contrast &&
               !(draw->nmcd.uItemState & CDIS_SELECTED)) {
        if (node->is_gone || node->note.count > 0 || node->kind == PRFDATA_NODE_GROUP)
            draw->clrText = pane->theme->faint;
    }
    return CDRF_DODEFAULT;
}

/* ---- Actions of the user ---- */

static void open_node(prfdata_tree_pane *pane, prfdata_node *node)
{
    HWND view = pane->window;

    SendMessageW(view, WM_SETREDRAW, FALSE, 0);
    prfdata_viewer_open(pane->viewer, node);
    SendMessageW(view, WM_SETREDRAW, TRUE, 0);
    pane->expanding = node->first ? NULL : node;
}

/*
 * Called before a node is expanded or collapsed. Returns true if the node cannot be expanded yet,
 * because its children come with the next sample.
 */
static LRESULT expand_node(prfdata_tree_pane *pane, const NMTREEVIEWW *change)
{
    prfdata_node *node = (prfdata_node *)change->itemNew.lParam;

    if (node->kind < PRFDATA_NODE_OBJECT)
        return FALSE;
    if (pane->viewer->tree.search.count == 0)
        node->is_expanded = change->action != TVE_COLLAPSE;
    if (change->action == TVE_COLLAPSE) {
        prfdata_viewer_close(pane->viewer, node);
        return FALSE;
    }
    open_node(pane, node);
    return node->first == NULL;
}

static void select_node(const prfdata_tree_pane *pane, const NMTREEVIEWW *change)
{
    prfdata_node *before = (prfdata_node *)change->itemOld.lParam;
    prfdata_node *node = (prfdata_node *)change->itemNew.lParam;

    if (change->itemOld.hItem && before)
        before->is_selected = false;
    if (!change->itemNew.hItem || !node)
        return;
    node->is_selected = true;
    prfdata_viewer_select(pane->viewer, node);
}

static bool add_node(const prfdata_tree_pane *pane, prfdata_node *node)
{
    const prfdata_node *object = prfdata_node_object(node);
    prfdata_chart_key key;

    if (!node || node->kind != PRFDATA_NODE_COUNTER || !object)
        return false;
    key = (prfdata_chart_key){object->title, node->title, prfdata_node_label(node)};
    prfdata_viewer_add_line(pane->viewer, &key);
    return true;
}

static LRESULT begin_node_drag(const prfdata_tree_pane *pane, const NMTREEVIEWW *drag)
{
    const prfdata_node *node = (const prfdata_node *)drag->itemNew.lParam;

    if (node->kind != PRFDATA_NODE_COUNTER)
        return 0;
    (void)TreeView_SelectItem(pane->window, drag->itemNew.hItem);
    SendMessageW(GetParent(pane->window), WM_COMMAND,
                 MAKEWPARAM(GetDlgCtrlID(pane->window), PRFDATA_TREE_PANE_DRAGS),
                 (LPARAM)pane->window);
    return 0;
}

LRESULT prfdata_tree_pane_notify(prfdata_tree_pane *pane, const NMHDR *header)
{
    switch (header->code) {
    case TVN_GETDISPINFOW:
        set_item_text(pane, (NMTVDISPINFOW *)(uintptr_t)header);
        return 0;
    case TVN_GETINFOTIPW:
        set_item_tip((NMTVGETINFOTIPW *)(uintptr_t)header);
        return 0;
    case NM_CUSTOMDRAW:
        return draw_item(pane, (NMTVCUSTOMDRAW *)(uintptr_t)header);
    case TVN_ITEMEXPANDINGW:
        return expand_node(pane, (const NMTREEVIEWW *)header);
    case TVN_SELCHANGEDW:
        select_node(pane, (const NMTREEVIEWW *)header);
        return 0;
    case TVN_BEGINDRAGW:
        return begin_node_drag(pane, (const NMTREEVIEWW *)header);
    case NM_DBLCLK:
    case NM_RETURN:
        return add_node(pane, prfdata_tree_pane_selected(pane));
    default:
        return 0;
    }
}
