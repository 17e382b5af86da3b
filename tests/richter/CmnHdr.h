/* SPDX-License-Identifier: MIT */
/* Stands for the header that every source of the article's begins with; the map needs nothing. */
