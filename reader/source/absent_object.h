/* SPDX-License-Identifier: MIT */
/*
 * The reason why no provider shows an object that the map of one of PrfData's services has: what an
 * installer's -Status would say, in a few words, and how to run it. Windows only.
 */
#ifndef PRFDATA_READER_ABSENT_OBJECT_H
#define PRFDATA_READER_ABSENT_OBJECT_H

#include "text/output.h"

/*
 * Find the service whose present map has an object of this name, and say why it is not shown.
 *
 * output  Gets a part of a sentence, such as "it is one of MyService, which is disabled;
 *         `my_installer -Status MyService` says more".
 *
 * Returns whether there is such a service.
 */
bool prfdata_absent_object_explain(prfdata_text object, prfdata_output *output);

#endif
