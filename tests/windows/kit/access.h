/* SPDX-License-Identifier: MIT */
/* What an account may do in the folders of the kit's service. Windows only. */
#ifndef PRFDATA_KIT_ACCESS_H
#define PRFDATA_KIT_ACCESS_H

#include <stdbool.h>

#define ACCESS_FIELDS(FIELD)                                                                       \
    FIELD(listed)   /* 1: the regions folder can be listed */                                      \
    FIELD(regions)  /* in it */                                                                    \
    FIELD(readable) /* of them */                                                                  \
    FIELD(writable)                                                                                \
    FIELD(deletable)                                                                               \
    FIELD(controllable) /* its access list or owner can be changed */                              \
    FIELD(adds_folders) /* 1: to the regions folder */                                             \
    FIELD(deletes)      /* 1: what is in it, by right of the folder */                             \
    FIELD(controls)     /* 1: the folder's access list or owner */                                 \
    FIELD(data_read)    /* 1: the data folder can be listed, its title files be read */            \
    FIELD(data_written) /* 1: files can be added there */                                          \
    FIELD(key_written)  /* 1: the service's Performance key */                                     \
    FIELD(published)    /* status of prfdata_open() */                                             \
    FIELD(own_writable) /* of regions made by that */                                              \
    FIELD(own_deletable)                                                                           \
    FIELD(own_controllable)                                                                        \
    FIELD(reopened)   /* 1: it published a second time, with the same files */                     \
    FIELD(owners)     /* regions whose owner can be read */                                        \
    FIELD(event_status) /* of writing to the Application log; 0: it may */                         \
    FIELD(others)     /* regions that another account owns */                                      \
    FIELD(others_writable) /* or deletable, or controllable */                                     \
    FIELD(stamp_high) /* the time stamp of boot.h */                                               \
    FIELD(stamp_low)                                                                               \
    FIELD(boot_id)

typedef struct access_seen {
#define ACCESS_MEMBER(name) unsigned name;
    ACCESS_FIELDS(ACCESS_MEMBER)
#undef ACCESS_MEMBER
} access_seen;

/* "5 readable, 0 writable, ..." */
#define ACCESS_TEXT_CHARS 700
void kit_access_text(const access_seen *seen, char text[ACCESS_TEXT_CHARS]);

/* Read a line of `prfdata-kit -Access`; false: it is none, or not whole. */
bool kit_access_parse(const char *line, access_seen *seen);

/* Write an event to the Application log, as the account of this thread. Returns a Win32 status. */
unsigned long kit_access_try_event(void);

/* Look, as the account of this thread. Asks for handles and uses none: nothing is changed. */
void kit_access_look(access_seen *seen);

#endif
