/* SPDX-License-Identifier: MIT */
/*
 * Decides whether a map may follow the registered ones. It may if all ids keep their meaning, the
 * service stays with its product, and the registered maps have no later format (docs/upgrading.md).
 * -Force allows every map. Windows only.
 */
#ifndef PRFDATA_UPGRADE_H
#define PRFDATA_UPGRADE_H

#include <stdbool.h>
#include <stdint.h>

#include "report/report.h"
#include "service/registered.h"

/* Returns whether any id has the same name or symbol in both maps. */
bool prfdata_upgrade_is_same_product(const prfdata_model *registered, const prfdata_model *later);

/*
 * Compare a map with the registered ones and report what would be lost, one line for each id.
 *
 * is_forced     Install even if something is lost; the lines then say what is lost.
 * goes_on       Set on success: whether the counts of the registered maps continue. They do not if
 *               there are no registered maps, or if the maps belong to another product or have a
 *               later format.
 *
 * Returns ERROR_SUCCESS (even if nothing is registered), ERROR_ALREADY_EXISTS (another product has
 *         the service), ERROR_REVISION_MISMATCH (an id has another meaning, or the maps have a
 *         later format) or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_upgrade_check(const prfdata_registered *registered, const prfdata_model *later,
                               bool is_forced, const prfdata_report *report, bool *goes_on);

#endif
