/* SPDX-License-Identifier: MIT */
/* Declares checks of what an account may do in the folders of the kit's service. Windows only. */
#ifndef PRFDATA_KIT_ACCESS_H
#define PRFDATA_KIT_ACCESS_H

#include <stdbool.h>

/* The fields of access_seen. "The account" is the one that checked. */
#define ACCESS_FIELDS(FIELD)                                                                       \
    FIELD(listed)   /* 1: the regions folder can be listed */                                      \
    FIELD(regions)  /* number of regions in the folder */                                          \
    FIELD(readable) /* number of regions that can be read */                                       \
    FIELD(writable)                                                                                \
    FIELD(deletable)                                                                               \
    FIELD(controllable) /* number of regions whose access list or owner the account can change */  \
    FIELD(adds_folders) /* 1: the account can add folders to the regions folder */                 \
    FIELD(deletes)      /* 1: the access list of the folder lets the account delete files in it */ \
    FIELD(controls)     /* 1: the account can change the access list or owner of the folder */     \
    FIELD(data_read)    /* 1: the data folder can be listed and its title files read */            \
    FIELD(data_written) /* 1: the account can add files to the data folder */                      \
    FIELD(key_written)  /* 1: the account can write the service's Performance key */               \
    FIELD(published)    /* status of prfdata_open() */                                             \
    FIELD(own_writable) /* number of the account's own regions that it can write */                \
    FIELD(own_deletable)                                                                           \
    FIELD(own_controllable)                                                                        \
    FIELD(reopened)        /* 1: the account published a second time, with the same files */       \
    FIELD(owners)          /* number of regions whose owner can be read */                         \
    FIELD(event_status)    /* status of writing to the Application log; 0: it succeeded */         \
    FIELD(others)          /* number of regions that another account owns */                       \
    FIELD(others_writable) /* number of `others` that the account can write, delete or control */  \
    FIELD(stamp_high)      /* upper half of boot.h's stamp */                                      \
    FIELD(stamp_low)                                                                               \
    FIELD(boot_id)

typedef struct access_seen {
#define ACCESS_MEMBER(name) unsigned name;
    ACCESS_FIELDS(ACCESS_MEMBER)
#undef ACCESS_MEMBER
} access_seen;

/* Writes the counts as a text, such as "5 readable, 0 writable, ...". */
#define ACCESS_TEXT_CHARS 700
void kit_access_text(const access_seen *seen, char text[ACCESS_TEXT_CHARS]);

/*
 * Reads a line of `prfdata-kit -Access`. Returns false if it is not such a line or is incomplete.
 */
bool kit_access_parse(const char *line, access_seen *seen);

/* Writes an event to the Application log, as the account of this thread. Returns a Win32 status. */
unsigned long kit_access_try_event(void);

/*
 * Checks access as the account of this thread. Opens handles and does not use them, so nothing is
 * changed.
 */
void kit_access_look(access_seen *seen);

#endif
