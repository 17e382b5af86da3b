/* SPDX-License-Identifier: MIT */
/*
 * Sockets: the least that a small server needs, the same over Winsock and BSD sockets. No call
 * waits but prfdata_net_wait().
 */
#ifndef PRFDATA_READER_NET_H
#define PRFDATA_READER_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "os/net_address.h"

typedef intptr_t prfdata_net_socket;

#define PRFDATA_NET_NONE ((prfdata_net_socket)-1)

typedef enum prfdata_net_problem {
    PRFDATA_NET_OK,
    PRFDATA_NET_IN_USE,     /* somebody listens on this port */
    PRFDATA_NET_DENIED,     /* this port is not for us */
    PRFDATA_NET_NO_ADDRESS, /* this computer does not have the address */
    PRFDATA_NET_NO_MEMORY,
    PRFDATA_NET_FAILED /* something else */
} prfdata_net_problem;

/* What a transfer returns when it moved nothing. */
enum {
    PRFDATA_NET_END = 0,    /* the other end sends no more */
    PRFDATA_NET_LATER = -1, /* nothing now */
    PRFDATA_NET_BROKEN = -2 /* the connection is gone */
};

typedef struct prfdata_net_event {
    prfdata_net_socket socket; /* PRFDATA_NET_NONE: of none */
    bool wants_receive;
    bool wants_send;
    bool is_ready; /* a transfer will tell something else than PRFDATA_NET_LATER, perhaps */
} prfdata_net_event;

#define PRFDATA_NET_MAX_EVENTS 1024

/* Before the first call and after the last one; pairs may nest. Returns false if it cannot. */
bool prfdata_net_start(void);
void prfdata_net_stop(void);

/*
 * Listen, exclusively.
 *
 * listener       On success the socket: prfdata_net_close().
 * port           On success the port, which is what the address says unless that is 0.
 * system_status  On failure the system's error.
 */
prfdata_net_problem prfdata_net_listen(const prfdata_net_address *address,
                                       prfdata_net_socket *listener, uint16_t *port,
                                       uint32_t *system_status);

/* The problem in plain words, such as "another program listens on this port". */
const char *prfdata_net_problem_text(prfdata_net_problem problem);

/* Take a connection; PRFDATA_NET_NONE: none now. *is_short: no more sockets or memory for it. */
prfdata_net_socket prfdata_net_accept(prfdata_net_socket listener, bool *is_short);

/* Begin to connect, for tests; PRFDATA_NET_NONE: failed. */
prfdata_net_socket prfdata_net_connect(const prfdata_net_address *address);

/* Transfer at most `size` bytes. Returns how many, or PRFDATA_NET_END, _LATER or _BROKEN. */
intptr_t prfdata_net_receive(prfdata_net_socket socket, void *bytes, size_t size);
intptr_t prfdata_net_send(prfdata_net_socket socket, const void *bytes, size_t size);

/* Say that nothing more will be sent. */
void prfdata_net_end_send(prfdata_net_socket socket);

void prfdata_net_close(prfdata_net_socket socket);

/*
 * Wait until one of the sockets is ready, at most `wait_ms`. At most PRFDATA_NET_MAX_EVENTS.
 * Returns false if the system failed.
 */
bool prfdata_net_wait(prfdata_net_event *events, size_t count, uint32_t wait_ms);

#endif
