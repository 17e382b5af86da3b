/* SPDX-License-Identifier: MIT */
/*
 * Names for the moments at which a process may be killed. Nothing in the shipped library; tests
 * compile the sources with PRFDATA_STEPS and kill the process at every one of them.
 */
#ifndef PRFDATA_STEPS_H
#define PRFDATA_STEPS_H

#ifdef PRFDATA_STEPS
void prfdata_step(const char *step);
#define PRFDATA_STEP(step) prfdata_step(step)
#else
#define PRFDATA_STEP(step) ((void)0)
#endif

#endif
