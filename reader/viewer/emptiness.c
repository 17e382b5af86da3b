/* SPDX-License-Identifier: MIT */
/* Decides why the table is empty. prfview/hint.c has the words and the buttons. */
#include "viewer/emptiness.h"

static prfdata_emptiness emptiness_of_object(const prfdata_viewer *viewer, bool is_live)
{
    const prfdata_node *node = prfdata_tree_object(&viewer->tree, viewer->table.object_title);

    if (viewer->table.row_count > 0)
        return PRFDATA_EMPTINESS_NONE;
    if (node && node->is_silent)
        return PRFDATA_EMPTINESS_SILENT;
    if (node && node->is_gone)
        return PRFDATA_EMPTINESS_ABSENT;
    if (!viewer->table.is_present)
        return PRFDATA_EMPTINESS_NONE;
    return is_live && node && node->parent == viewer->tree.groups[PRFDATA_TREE_SERVICES]
               ? PRFDATA_EMPTINESS_NO_PROGRAM
               : PRFDATA_EMPTINESS_NO_INSTANCES;
}

prfdata_emptiness prfdata_emptiness_of(const prfdata_viewer *viewer, bool is_live)
{
    if (!viewer->has_titles)
        return is_live ? PRFDATA_EMPTINESS_READING : PRFDATA_EMPTINESS_NOTHING_OPEN;
    if (viewer->table.object_title != 0)
        return emptiness_of_object(viewer, is_live);
    if (!is_live)
        return PRFDATA_EMPTINESS_FILE;
    /* The services of another computer are not known. */
    if (viewer->is_remote || viewer->tree.groups[PRFDATA_TREE_SERVICES]->first)
        return PRFDATA_EMPTINESS_CHOICE;
    return prfdata_viewer_object_count(viewer) > 0 ? PRFDATA_EMPTINESS_NO_SERVICES
                                                   : PRFDATA_EMPTINESS_NO_OBJECTS;
}

void prfdata_object_search_begin(prfdata_object_search *search, const prfdata_viewer *viewer)
{
    *search = (prfdata_object_search){.known = prfdata_viewer_object_count(viewer)};
}

bool prfdata_object_search_end(prfdata_object_search *search, const prfdata_viewer *viewer,
                               uint32_t *all, uint32_t *added)
{
    const bool is_complete = !search->has_failed;

    *all = prfdata_viewer_object_count(viewer);
    *added = *all > search->known ? *all - search->known : 0;
    search->has_failed = false;
    return is_complete;
}
