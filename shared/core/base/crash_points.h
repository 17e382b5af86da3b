/* SPDX-License-Identifier: MIT */
/*
 * Names moments for tests, which kill a process at each of them. The tests compile the sources with
 * PRFDATA_CRASH_POINTS. In the shipped library the names compile to nothing.
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
