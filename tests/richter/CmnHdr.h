/* SPDX-License-Identifier: MIT */
/* Stands for the header with which every source of the article begins. The map needs nothing from
 * it. */
