/* SPDX-License-Identifier: MIT */
/*
 * Declares the kit's answers: one line for every question, in the order in which they become known.
 *
 *     Q07 yes: Is Close called when ...? -- 1 Open, 1 Close
 *     Q23 not here: Does PDH list ...? -- Wine's PDH reads no provider
 *     Q30 failed: ... -- nothing asked it
 *
 * A question has no answer until one is given together with what was seen, so nothing is answered
 * with `yes` because something did not run. Portable.
 */
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
    KIT_FAILED    /* it should have been answered, but asking failed */
} kit_verdict;

typedef struct kit_answers {
    FILE *report;
    kit_verdict verdicts[KIT_QUESTION_COUNT];
} kit_answers;

/*
 * Whether the kit may have written a file, because it begins with an answer, has the output of
 * -Stamp, or is empty. Reads the file's first line.
 */
bool kit_answers_wrote(FILE *file);

const char *kit_question_text(kit_question_id question);

/* Whether PrfData relies on this verdict; true if it relies on none. */
bool kit_is_expected(kit_question_id question, kit_verdict verdict);

/*
 * Answers a question with what was seen, in printf's manner. Control characters become blanks, and
 * text beyond 1,000 bytes is cut. A second answer to the same question is dropped.
 */
void kit_answer(kit_answers *answers, kit_question_id question, kit_verdict verdict,
                const char *detail, ...);

/* Answers with yes or no. */
void kit_answer_if(kit_answers *answers, kit_question_id question, bool is_so, const char *detail,
                   ...);

/*
 * Gives the same answer, `not here` or `failed`, to all questions from one to another that have
 * none.
 */
void kit_answer_rest(kit_answers *answers, kit_question_id from, kit_question_id to,
                     kit_verdict verdict, const char *detail);

/*
 * Accepts a line of another process of the kit, and writes it to this report, too. Returns false if
 * it is not an answer.
 */
bool kit_answers_take(kit_answers *answers, const char *line);

/* Whether a line of the last page is about the question. */
bool kit_is_promised(kit_question_id question);

/*
 * Answers all remaining questions (failed, with this reason), writes the sums and the last page:
 * each promise (promises.h), and whether it was seen to be kept. Returns the exit code of the
 * process.
 */
int kit_answers_end(kit_answers *answers, const char *reason);

#endif
