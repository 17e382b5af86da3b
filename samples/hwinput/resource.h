/* SPDX-License-Identifier: MIT */
/* Declares the numbers that hwinput.rc and window.c share. */
#ifndef HWINPUT_RESOURCE_H
#define HWINPUT_RESOURCE_H

#define ID_ICON  1
#define ID_LIST  101
#define ID_RESET 102

#endif
