/* SPDX-License-Identifier: MIT */
/* Writes the kit's answers (answers.h) and their sums. Portable; the questions are data. */
#include "answers.h"

#include <stdarg.h>
#include <string.h>

#include "promises.h"

typedef struct kit_question {
    const char *text;
    kit_verdict expected; /* NONE: any */
} kit_question;

#define KIT_ANY KIT_NONE

enum { SEEN_CHARS = 1000 };

static const kit_question questions[] = {
#define KIT_ROW(name, expected, text) {text, KIT_##expected},
    KIT_QUESTIONS(KIT_ROW)
#undef KIT_ROW
};

static const char *const verdict_names[] = {"none", "yes", "no", "text", "not here", "failed"};

bool kit_answers_wrote(FILE *file)
{
    char line[64];
    size_t digits;

    if (!fgets(line, sizeof line, file))
        return feof(file) != 0;
    digits = strspn(line + (line[0] == 'Q'), "0123456789");
    if (line[0] == 'Q')
        return digits > 1 && line[1 + digits] == ' ';
    /* Accept a time stamp, perhaps followed by BootId, which newer kits also write. */
    if (digits > 0 && line[digits] == ' ' && line[digits + 1] >= '0' && line[digits + 1] <= '9')
        digits += 1 + strspn(line + digits + 1, "0123456789");
    return digits > 0 && strspn(line + digits, "\r\n") == strlen(line + digits) &&
           fgetc(file) == EOF;
}

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

/* Writes an answer with what was seen. Control characters become blanks. */
static void write_line(kit_answers *answers, kit_question_id question, kit_verdict verdict,
                       char *seen)
{
    if (answers->verdicts[question] != KIT_NONE)
        return;
    answers->verdicts[question] = verdict;
    for (char *at = seen; *at; at++) {
        if ((unsigned char)*at < ' ')
            *at = ' ';
    }
    fprintf(answers->report, "Q%02u %s: %s -- %s%s\n", (unsigned)question + 1,
            verdict_names[verdict], questions[question].text, seen,
            kit_is_expected(question, verdict) ? "" : " [UNEXPECTED]");
    fflush(answers->report);
}

static void write_answer(kit_answers *answers, kit_question_id question, kit_verdict verdict,
                         const char *detail, va_list arguments)
{
    char seen[SEEN_CHARS];

    if (vsnprintf(seen, sizeof seen, detail, arguments) < 0)
        strcpy(seen, "what was seen cannot be printed");
    write_line(answers, question, verdict, seen);
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

bool kit_answers_take(kit_answers *answers, const char *line)
{
    static const char unexpected[] = " [UNEXPECTED]";
    char name[16] = "", seen[SEEN_CHARS];
    const char *detail = strstr(line, " -- ");
    unsigned number = 0, verdict = KIT_FAILED;
    size_t length;

    if (!detail || sscanf(line, "Q%3u %15[a-z ]:", &number, name) != 2 || number == 0 ||
        number > KIT_QUESTION_COUNT)
        return false;
    while (verdict > KIT_NONE && strcmp(verdict_names[verdict], name) != 0)
        verdict--;
    if (verdict == KIT_NONE)
        return false;
    snprintf(seen, sizeof seen, "%s", detail + 4);
    length = strcspn(seen, "\r\n");
    seen[length] = 0;
    if (length >= sizeof unexpected - 1 &&
        strcmp(seen + length - (sizeof unexpected - 1), unexpected) == 0)
        seen[length - (sizeof unexpected - 1)] = 0; /* write_line() writes the mark again */
    write_line(answers, (kit_question_id)(number - 1), (kit_verdict)verdict, seen);
    return true;
}

enum { MOST_SHOWING = 20 };

typedef struct kit_promise {
    const char *text;
    kit_question_id shown_by[MOST_SHOWING]; /* KIT_QUESTION_COUNT ends the list */
} kit_promise;

static const kit_promise promises[] = {
#define KIT_PROMISE(text, ...) {text, {__VA_ARGS__, KIT_QUESTION_COUNT}},
    KIT_PROMISES(KIT_PROMISE)
#undef KIT_PROMISE
};

enum { PROMISES = sizeof promises / sizeof promises[0] };

bool kit_is_promised(kit_question_id question)
{
    for (int i = 0; i < PROMISES; i++) {
        for (size_t j = 0; promises[i].shown_by[j] != KIT_QUESTION_COUNT; j++) {
            if (promises[i].shown_by[j] == question)
                return true;
        }
    }
    return false;
}

static void write_promise(const kit_answers *answers, const kit_promise *promise)
{
    char broken[200] = "", unasked[200] = "";
    unsigned seen = 0, count = 0;

    for (size_t i = 0; promise->shown_by[i] != KIT_QUESTION_COUNT; i++, count++) {
        const kit_question_id question = promise->shown_by[i];
        const kit_verdict verdict = answers->verdicts[question];
        char *list = verdict == KIT_FAILED || verdict == KIT_NOT_HERE ? unasked : broken;
        const size_t used = strlen(list);

        if (verdict == questions[question].expected)
            seen++;
        else
            snprintf(list + used, sizeof unasked - used, " %u", (unsigned)question + 1);
    }
    fprintf(answers->report, "%-11s %s\n",
            broken[0]       ? "NOT KEPT"
            : seen == count ? "kept"
            : seen > 0      ? "in part"
                            : "not seen",
            promise->text);
    if (broken[0])
        fprintf(answers->report, "            other answers than promised: questions%s\n", broken);
    if (unasked[0])
        fprintf(answers->report, "            seen in %u of %u; this run cannot say:%s\n", seen,
                count, unasked);
}

static void write_last_page(const kit_answers *answers)
{
    fprintf(answers->report, "\nWhat PrfData promises, and what was seen here\n\n");
    for (int i = 0; i < PROMISES; i++)
        write_promise(answers, &promises[i]);
    fflush(answers->report);
}

int kit_answers_end(kit_answers *answers, const char *reason)
{
    unsigned counts[KIT_FAILED + 1] = {0};
    unsigned unexpected = 0;

    kit_answer_rest(answers, (kit_question_id)0, (kit_question_id)(KIT_QUESTION_COUNT - 1),
                    KIT_FAILED, reason[0] ? reason : "nothing asked it");
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
    write_last_page(answers);
    return unexpected > 0 ? 1 : 0;
}
