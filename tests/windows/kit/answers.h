/* SPDX-License-Identifier: MIT */
/* Declares the kit's answers: one line for every question, in the order in which they become known.
 *
 *     Q07 yes: Is Close called when ...? -- 1 Open, 1 Close
 *     Q23 not here: Does PDH list ...? -- Wine's PDH reads no provider
 *     Q30 failed: ... -- nothing asked it
 *
 * An answer always says what was seen. If the test of a question did not run, the answer is never
 * `yes`. Portable. */
#ifndef PRFDATA_KIT_ANSWERS_H
#define PRFDATA_KIT_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "questions.h"

typedef enum kit_verdict {
    KIT_NONE,
    KIT_YES,
    KIT_NO,
    KIT_TEXT,
    KIT_NOT_HERE, /* this system, or this run, cannot answer; the detail says why */
    KIT_FAILED    /* asking failed, although this system should answer */
} kit_verdict;

typedef struct kit_answers {
    FILE *report;
    kit_verdict verdicts[KIT_QUESTION_COUNT];
} kit_answers;

/* Returns whether the kit may have written the file. Such a file begins with an answer, has the
 * output of -Stamp, or is empty. Reads the file's first line. */
bool kit_answers_wrote(FILE *file);

const char *kit_question_text(kit_question_id question);

/* Returns whether PrfData can work with this verdict. It can work with `not here` and with the
 * verdict that it relies on. If it relies on none, it can work with every verdict except
 * `failed`. */
bool kit_is_expected(kit_question_id question, kit_verdict verdict);

/* Answers a question. `detail` and the arguments after it say what was seen, as for printf().
 * Control characters become blanks, and text beyond 1,000 bytes is cut. A second answer to a
 * question is dropped. */
void kit_answer(kit_answers *answers, kit_question_id question, kit_verdict verdict,
                const char *detail, ...);

void kit_answer_if(kit_answers *answers, kit_question_id question, bool is_so, const char *detail,
                   ...);

/* Gives one answer to all questions from `from` to `to` that have no answer yet. */
void kit_answer_rest(kit_answers *answers, kit_question_id from, kit_question_id to,
                     kit_verdict verdict, const char *detail);

/* Accepts an answer that another process of the kit has printed, and also writes it to this report.
 * Returns false if the line is not an answer. */
bool kit_answers_take(kit_answers *answers, const char *line);

/* Returns whether a line of the report's last page is about the question. */
bool kit_is_promised(kit_question_id question);

/* Answers all remaining questions with `failed` and this reason, and writes the sums and the last
 * page, which says for each promise (promises.h) whether it was kept. Returns the exit code of the
 * process. */
int kit_answers_end(kit_answers *answers, const char *reason);

#endif
