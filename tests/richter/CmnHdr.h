/* SPDX-License-Identifier: MIT */
/* Stands for the header with which every source of Richter's article begins. The map needs nothing
 * from it. */
