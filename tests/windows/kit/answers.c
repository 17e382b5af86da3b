/* SPDX-License-Identifier: MIT */
/*
 * The kit's answers (answers.h): their lines and their sums. Portable; the questions are data.
 */
#include "answers.h"

#include <stdarg.h>
#include <string.h>

typedef struct kit_question {
    const char *text;
    kit_verdict expected; /* NONE: any */
} kit_question;

#define KIT_ANY KIT_NONE

static const kit_question questions[] = {
#define KIT_ROW(name, expected, text) {text, KIT_##expected},
    KIT_QUESTIONS(KIT_ROW)
#undef KIT_ROW
};

static const char *const verdict_names[] = {"none", "yes", "no", "text", "not here", "failed"};

const char *kit_question_text(kit_question_id question)
{
    return questions[question].text;
}

bool kit_is_expected(kit_question_id question, kit_verdict verdict)
{
    kit_verdict expected = questions[question].expected;

    if (verdict == KIT_FAILED)
        return false;
    return expected == KIT_NONE || verdict == expected || verdict == KIT_NOT_HERE;
}

static void write_answer(kit_answers *answers, kit_question_id question, kit_verdict verdict,
                         const char *detail, va_list arguments)
{
    char seen[1000];

    if (answers->verdicts[question] != KIT_NONE)
        return;
    answers->verdicts[question] = verdict;
    if (vsnprintf(seen, sizeof seen, detail, arguments) < 0)
        strcpy(seen, "what was seen cannot be printed");
    for (char *at = seen; *at; at++) {
        if ((unsigned char)*at < ' ')
            *at = ' ';
    }
    fprintf(answers->report, "Q%02u %s: %s -- %s%s\n", (unsigned)question + 1,
            verdict_names[verdict], questions[question].text, seen,
            kit_is_expected(question, verdict) ? "" : " [UNEXPECTED]");
    fflush(answers->report);
}

void kit_answer(kit_answers *answers, kit_question_id question, kit_verdict verdict,
                const char *detail, ...)
{
    va_list arguments;

    va_start(arguments, detail);
    write_answer(answers, question, verdict, detail, arguments);
    va_end(arguments);
}

void kit_answer_if(kit_answers *answers, kit_question_id question, bool is_so, const char *detail,
                   ...)
{
    va_list arguments;

    va_start(arguments, detail);
    write_answer(answers, question, is_so ? KIT_YES : KIT_NO, detail, arguments);
    va_end(arguments);
}

void kit_answer_rest(kit_answers *answers, kit_question_id from, kit_question_id to,
                     kit_verdict verdict, const char *detail)
{
    for (int i = (int)from; i <= (int)to; i++)
        kit_answer(answers, (kit_question_id)i, verdict, "%s", detail);
}

int kit_answers_end(kit_answers *answers)
{
    unsigned counts[KIT_FAILED + 1] = {0};
    unsigned unexpected = 0;

    kit_answer_rest(answers, (kit_question_id)0, (kit_question_id)(KIT_QUESTION_COUNT - 1),
                    KIT_FAILED, "nothing asked it");
    for (int i = 0; i < KIT_QUESTION_COUNT; i++) {
        counts[answers->verdicts[i]]++;
        if (!kit_is_expected((kit_question_id)i, answers->verdicts[i]))
            unexpected++;
    }
    fprintf(answers->report, "%u questions:", (unsigned)KIT_QUESTION_COUNT);
    for (int i = KIT_YES; i <= KIT_FAILED; i++)
        fprintf(answers->report, " %u %s%s", counts[i], verdict_names[i],
                i < KIT_FAILED ? "," : "; ");
    fprintf(answers->report, "%u unexpected\n", unexpected);
    fflush(answers->report);
    return unexpected > 0 ? 1 : 0;
}
