/* SPDX-License-Identifier: MIT */
/*
 * Knows the words that a program in C or C++ cannot use as a name. A map's symbols must not be such
 * words, because the authors of maps, -Emit C and -Emit Cpp write the symbols into programs.
 */
#ifndef PRFDATA_C_WORD_H
#define PRFDATA_C_WORD_H

#include <stdbool.h>

/*
 * Whether the word is a keyword of C or C++, up to C23 and C++23 (C: 6.4.1; C++: [lex.key] and
 * the words for operators in [lex.digraph]). Returns false for keywords that begin with an
 * underscore, because prfdata_c_word_is_reserved() returns true for them.
 */
bool prfdata_c_word_is_keyword(const char *word);

/*
 * Whether compilers and their libraries may use the word for themselves: it begins with an
 * underscore (C: 7.1.3) or has two in a row (C++: [lex.name]).
 */
bool prfdata_c_word_is_reserved(const char *word);

/* Whether the word begins with PRFDATA_, ignoring case. */
bool prfdata_c_word_is_prfdatas(const char *word);

#endif
