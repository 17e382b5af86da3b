/* SPDX-License-Identifier: MIT */
/*
 * Names the moments at which a process may be killed. The shipped library compiles the names to
 * nothing; tests compile the sources with PRFDATA_CRASH_POINTS and kill a process at each of them.
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
