/* SPDX-License-Identifier: MIT */
/*
 * The kit's answers: one line for every question, in the order in which they become known.
 *
 *     Q07 yes: Is Close called when ...? -- 1 Open, 1 Close
 *     Q23 not here: Does PDH list ...? -- Wine's PDH reads no provider
 *     Q30 failed: ... -- nothing asked it
 *
 * A question has no answer until one is given with what was seen, so that nothing can be `yes`
 * because something did not run. Knows nothing about Windows.
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
    KIT_FAILED    /* it should have been answered, and asking went wrong */
} kit_verdict;

typedef struct kit_answers {
    FILE *report;
    kit_verdict verdicts[KIT_QUESTION_COUNT];
} kit_answers;

/*
 * Whether the kit may have written a file: it begins with an answer, or is what -Stamp writes, or
 * is empty. Reads the file's first line.
 */
bool kit_answers_wrote(FILE *file);

const char *kit_question_text(kit_question_id question);

/* Whether the verdict is the one that PrfData relies on; true where it relies on none. */
bool kit_is_expected(kit_question_id question, kit_verdict verdict);

/*
 * Answer a question, with what was seen in printf's manner: control characters become blanks, what
 * is longer than 1,000 bytes is cut. A second answer to a question is dropped.
 */
void kit_answer(kit_answers *answers, kit_question_id question, kit_verdict verdict,
                const char *detail, ...);

/* Yes or no, by what was seen. */
void kit_answer_if(kit_answers *answers, kit_question_id question, bool is_so, const char *detail,
                   ...);

/* The same answer, not here or failed, for all questions from one to another without an answer. */
void kit_answer_rest(kit_answers *answers, kit_question_id from, kit_question_id to,
                     kit_verdict verdict, const char *detail);

/*
 * Take over a line that another process of the kit has written: write it to this report, too.
 * False: it is none of an answer.
 */
bool kit_answers_take(kit_answers *answers, const char *line);

/* Whether a line of the last page is about the question. */
bool kit_is_promised(kit_question_id question);

/*
 * Answer what nothing has answered (failed, with this reason), write the sums, and the last page:
 * each promise (promises.h), and whether it was seen to be kept. Returns the process's exit code.
 */
int kit_answers_end(kit_answers *answers, const char *reason);

#endif
