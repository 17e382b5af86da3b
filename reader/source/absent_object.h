/* SPDX-License-Identifier: MIT */
/*
 * Explains in a few words why no provider shows an object, although the map of one of PrfData's
 * services contains the object. Also names the installer's -Status command that says more. Windows
 * only.
 */
#ifndef PRFDATA_READER_ABSENT_OBJECT_H
#define PRFDATA_READER_ABSENT_OBJECT_H

#include "text/output.h"

/*
 * Find the service whose current map has an object of this name. Say why the object is not shown.
 *
 * output  Gets a part of a message, such as "it belongs to the service MyService, which is
 *         disabled; `my_installer -Status MyService` says more".
 *
 * Returns whether there is such a service.
 */
bool prfdata_absent_object_explain(prfdata_text object, prfdata_output *output);

#endif
