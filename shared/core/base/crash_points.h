/* SPDX-License-Identifier: MIT */
/*
 * Marks the steps at which tests interrupt the code, for example by killing the process. These
 * tests compile the sources with PRFDATA_CRASH_POINTS.
 */
#ifndef PRFDATA_CRASH_POINTS_H
#define PRFDATA_CRASH_POINTS_H

#ifdef PRFDATA_CRASH_POINTS
void prfdata_crash_point(const char *step);
#define PRFDATA_CRASH_POINT(point) prfdata_crash_point(point)
#else
#define PRFDATA_CRASH_POINT(point) ((void)0)
#endif

#endif
