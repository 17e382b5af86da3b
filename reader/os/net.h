/* SPDX-License-Identifier: MIT */
/*
 * Wraps the socket functions that a small server needs, with the same interface for Winsock and BSD
 * sockets. Only prfdata_net_wait() waits; all other calls return at once.
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
    PRFDATA_NET_IN_USE,     /* another program listens on this port */
    PRFDATA_NET_DENIED,     /* the port is reserved, or needs more rights */
    PRFDATA_NET_NO_ADDRESS, /* this computer does not have the address */
    PRFDATA_NET_NO_MEMORY,
    PRFDATA_NET_FAILED
} prfdata_net_problem;

/* Results of a transfer that moved nothing. */
enum {
    PRFDATA_NET_END = 0,    /* the other end has finished sending */
    PRFDATA_NET_LATER = -1, /* try again when the socket is ready */
    PRFDATA_NET_BROKEN = -2 /* the connection no longer exists */
};

typedef struct prfdata_net_event {
    prfdata_net_socket socket; /* PRFDATA_NET_NONE: this event is ignored */
    bool wants_receive;
    bool wants_send;
    bool is_ready; /* set by prfdata_net_wait(): a transfer can now succeed or fail */
} prfdata_net_event;

#define PRFDATA_NET_MAX_EVENTS 1024

/*
 * Start sockets before all other calls, and stop them after the last one. Pairs may nest. Starting
 * returns false if the system has no sockets.
 */
bool prfdata_net_start(void);
void prfdata_net_stop(void);

/*
 * Listen on a port on which no other program listens.
 *
 * listener       On success the socket; close it with prfdata_net_close().
 * port           On success the port of the address; if that is 0, the port that the system chose.
 * system_status  On failure the system's error.
 *
 * Returns PRFDATA_NET_OK, or the problem.
 */
prfdata_net_problem prfdata_net_listen(const prfdata_net_address *address,
                                       prfdata_net_socket *listener, uint16_t *port,
                                       uint32_t *system_status);

/* Return the problem in plain words, such as "another program listens on this port". */
const char *prfdata_net_problem_text(prfdata_net_problem problem);

/*
 * Identifies the computer at the other end of a connection: an IPv4 address, or the first half of
 * an IPv6 address, because a computer may choose the second half freely.
 */
typedef uint64_t prfdata_net_peer;

/*
 * Accept a waiting connection.
 *
 * peer      Set on success.
 * is_short  Set to whether the system had no socket or no memory for the connection.
 * Returns the socket, for prfdata_net_close(); PRFDATA_NET_NONE: there is none.
 */
prfdata_net_socket prfdata_net_accept(prfdata_net_socket listener, prfdata_net_peer *peer,
                                      bool *is_short);

/* Transfer at most `size` bytes. Returns how many, or PRFDATA_NET_END, _LATER or _BROKEN. */
intptr_t prfdata_net_receive(prfdata_net_socket socket, void *bytes, size_t size);
intptr_t prfdata_net_send(prfdata_net_socket socket, const void *bytes, size_t size);

/* Tell the other end that nothing more will be sent. */
void prfdata_net_end_send(prfdata_net_socket socket);

void prfdata_net_close(prfdata_net_socket socket);

/*
 * Wait until one of the sockets is ready, or until `wait_ms` have passed. Outside Windows, a signal
 * ends the wait earlier.
 *
 * events  At most PRFDATA_NET_MAX_EVENTS; their `is_ready` is set.
 * Returns false if the system's call failed; no socket is ready then. In this case the function
 * waits for a short time before it returns.
 */
bool prfdata_net_wait(prfdata_net_event *events, size_t count, uint32_t wait_ms);

#endif
