/* SPDX-License-Identifier: MIT */
/*
 * What a library has to say about its work: failures, warnings, notes. Libraries do not print:
 * they add messages to a list that their caller gave them, and return a status. A program prints
 * the list; a window shows it where the subject is.
 *
 *     prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, path, "character %u: %s", position,
 * why); return ERROR_INVALID_PARAMETER;
 */
#ifndef PRFDATA_MESSAGES_H
#define PRFDATA_MESSAGES_H

#include "core/compiler.h"
#include "text/text.h"

typedef enum prfdata_severity {
    PRFDATA_SEVERITY_ERROR,   /* what was asked for is not done */
    PRFDATA_SEVERITY_WARNING, /* it is done, but something is doubtful or missing */
    PRFDATA_SEVERITY_NOTE     /* worth knowing */
} prfdata_severity;

typedef struct prfdata_message {
    prfdata_severity severity;
    prfdata_text subject;  /* a file, a path, an object; without chars: none */
    const char *problem;   /* the format that made `text`: the same problem has the same one */
    char *text;            /* UTF-8, one sentence without subject and full stop */
    uint32_t system_error; /* whose words belong after the text; 0: none */
} prfdata_message;

/* {0} is the empty list. */
typedef struct prfdata_messages {
    prfdata_message *items;
    size_t count;
    size_t capacity;
    bool is_incomplete; /* there was no memory for a message */
} prfdata_messages;

/* A message about nothing in particular. */
extern const prfdata_text prfdata_no_subject;

/*
 * Add a message.
 *
 * messages  NULL: the message is not wanted.
 * subject   Copied.
 * format    As printf's, with static storage; the text is cut after 1,023 bytes.
 */
void prfdata_messages_add(prfdata_messages *messages, prfdata_severity severity,
                          prfdata_text subject, const char *format, ...) PRFDATA_PRINTF(4, 5);

/*
 * Add an error that the system reported.
 *
 * system_error  A Win32 code; the program adds the system's words for it.
 * format        What failed, such as "cannot read the file".
 */
void prfdata_messages_add_system(prfdata_messages *messages, prfdata_text subject,
                                 uint32_t system_error, const char *format, ...)
    PRFDATA_PRINTF(4, 5);

/* Whether both are about the same problem of the same subject, whatever the details. */
bool prfdata_messages_is_same(const prfdata_message *a, const prfdata_message *b);

/* Forget the messages, keep the room. */
void prfdata_messages_clear(prfdata_messages *messages);

/* Release everything; {0} is left. */
void prfdata_messages_free(prfdata_messages *messages);

#endif
