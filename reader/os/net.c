/* SPDX-License-Identifier: MIT */
/*
 * Wraps the sockets of Windows and of POSIX. The first part hides the differences between Winsock
 * and BSD sockets. The rest is the same on all systems.
 */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "os/net.h"

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>

typedef SOCKET native;
typedef WSAPOLLFD poll_entry;
typedef int io_size;
#define INVALID            INVALID_SOCKET
#define LAST_ERROR()       ((uint32_t)WSAGetLastError())
#define CLOSE(socket)      closesocket(socket)
#define POLL(items, n, ms) WSAPoll(items, (ULONG)(n), ms)
#define PAUSE(ms)          Sleep((DWORD)(ms))
#define END_SEND           SD_SEND
#define SEND_FLAGS         0
#define IS_LATER(error)    ((error) == WSAEWOULDBLOCK)
#define IS_AGAIN(error)    ((error) == WSAEINTR)
#define IS_SHORT(error)                                                                            \
    ((error) == WSAEMFILE || (error) == WSAENOBUFS || (error) == ERROR_NOT_ENOUGH_MEMORY)
#define IN_USE   WSAEADDRINUSE
#define DENIED   WSAEACCES
#define NOT_HERE WSAEADDRNOTAVAIL

/* Keeps other programs from listening on the port, whatever options they set. */
#define OWN_PORT SO_EXCLUSIVEADDRUSE

bool prfdata_net_start(void)
{
    WSADATA data;

    return WSAStartup(MAKEWORD(2, 2), &data) == 0;
}

void prfdata_net_stop(void)
{
    WSACleanup();
}

static bool unblock_socket(native socket)
{
    u_long on = 1;

    return ioctlsocket(socket, (long)FIONBIO, &on) == 0;
}
#else
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

typedef int native;
typedef struct pollfd poll_entry;
typedef size_t io_size;
#define INVALID            (-1)
#define LAST_ERROR()       ((uint32_t)errno)
#define CLOSE(socket)      close(socket)
#define POLL(items, n, ms) poll(items, (nfds_t)(n), ms)
#define PAUSE(ms)          (void)poll(NULL, 0, ms)
#define END_SEND           SHUT_WR
#define SEND_FLAGS         MSG_NOSIGNAL
#define IS_LATER(error)    ((error) == EAGAIN || (error) == EWOULDBLOCK)
#define IS_AGAIN(error)    ((error) == EINTR)
#define IS_SHORT(error)                                                                            \
    ((error) == EMFILE || (error) == ENFILE || (error) == ENOBUFS || (error) == ENOMEM)
#define IN_USE   EADDRINUSE
#define DENIED   EACCES
#define NOT_HERE EADDRNOTAVAIL

/* Lets a server listen on a port that the connections of an ended server still use. */
#define OWN_PORT SO_REUSEADDR

bool prfdata_net_start(void)
{
    return true;
}

void prfdata_net_stop(void)
{
}

static bool unblock_socket(native socket)
{
    int flags = fcntl(socket, F_GETFL, 0);

    return flags >= 0 && fcntl(socket, F_SETFL, flags | O_NONBLOCK) == 0 &&
           fcntl(socket, F_SETFD, FD_CLOEXEC) == 0;
}
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BACKLOG    128
#define FAILURE_MS 50

typedef union socket_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} socket_address;

static socklen_t fill_socket_address(socket_address *to, const prfdata_net_address *from)
{
    memset(to, 0, sizeof *to);
    if (from->is_v6) {
        to->v6.sin6_family = AF_INET6;
        to->v6.sin6_port = htons(from->port);
        memcpy(&to->v6.sin6_addr, from->bytes, 16);
        return sizeof to->v6;
    }
    to->v4.sin_family = AF_INET;
    to->v4.sin_port = htons(from->port);
    memcpy(&to->v4.sin_addr, from->bytes, 4);
    return sizeof to->v4;
}

/* ---- Sockets ---- */

static prfdata_net_problem socket_problem(uint32_t error)
{
    if (error == IN_USE)
        return PRFDATA_NET_IN_USE;
    if (error == DENIED)
        return PRFDATA_NET_DENIED;
    if (error == NOT_HERE)
        return PRFDATA_NET_NO_ADDRESS;
    return IS_SHORT(error) ? PRFDATA_NET_NO_MEMORY : PRFDATA_NET_FAILED;
}

const char *prfdata_net_problem_text(prfdata_net_problem problem)
{
    static const char *const texts[] = {
        "no problem",
        "another program listens on this port",
        "this port is reserved or needs more rights",
        "this computer does not have this address",
        "the system has no memory or no sockets left",
        "the system cannot listen",
    };

    return texts[problem];
}

prfdata_net_problem prfdata_net_listen(const prfdata_net_address *address,
                                       prfdata_net_socket *listener, uint16_t *port,
                                       uint32_t *system_status)
{
    const int on = 1;
    socket_address name;
    socklen_t size = fill_socket_address(&name, address);
    native made = socket(name.any.sa_family, SOCK_STREAM, 0);

    if (made == INVALID) {
        *system_status = LAST_ERROR();
        return socket_problem(*system_status);
    }
    /* An IPv6 socket must not accept IPv4 connections, whatever the system's default is. */
    if (address->is_v6)
        (void)setsockopt(made, IPPROTO_IPV6, IPV6_V6ONLY, (const char *)&on, sizeof on);
    (void)setsockopt(made, SOL_SOCKET, OWN_PORT, (const char *)&on, sizeof on);
    if (bind(made, &name.any, size) != 0 || listen(made, BACKLOG) != 0 || !unblock_socket(made) ||
        getsockname(made, &name.any, &size) != 0) {
        *system_status = LAST_ERROR();
        CLOSE(made);
        return socket_problem(*system_status);
    }
    *listener = (prfdata_net_socket)made;
    *port = ntohs(address->is_v6 ? name.v6.sin6_port : name.v4.sin_port);
    return PRFDATA_NET_OK;
}

static prfdata_net_peer peer_of_address(const socket_address *address)
{
    prfdata_net_peer peer = 0;

    if (address->any.sa_family == AF_INET6)
        memcpy(&peer, &address->v6.sin6_addr, sizeof peer);
    else
        memcpy(&peer, &address->v4.sin_addr, sizeof address->v4.sin_addr);
    return peer;
}

prfdata_net_socket prfdata_net_accept(prfdata_net_socket listener, prfdata_net_peer *peer,
                                      bool *is_short)
{
    socket_address address = {0};
    socklen_t size = sizeof address;
    native taken = accept((native)listener, &address.any, &size);
    uint32_t error;

    *is_short = false;
    if (taken == INVALID) {
        error = LAST_ERROR();
        *is_short = IS_SHORT(error);
        return PRFDATA_NET_NONE;
    }
    if (!unblock_socket(taken)) {
        CLOSE(taken);
        return PRFDATA_NET_NONE;
    }
    *peer = peer_of_address(&address);
    return (prfdata_net_socket)taken;
}

static intptr_t transfer_failure(void)
{
    uint32_t error = LAST_ERROR();

    return IS_LATER(error) || IS_AGAIN(error) ? PRFDATA_NET_LATER : PRFDATA_NET_BROKEN;
}

static io_size io_size_of(size_t size)
{
    return (io_size)(size < 0x100000 ? size : 0x100000);
}

intptr_t prfdata_net_receive(prfdata_net_socket socket, void *bytes, size_t size)
{
    intptr_t count = recv((native)socket, bytes, io_size_of(size), 0);

    return count >= 0 ? count : transfer_failure();
}

intptr_t prfdata_net_send(prfdata_net_socket socket, const void *bytes, size_t size)
{
    intptr_t count = send((native)socket, bytes, io_size_of(size), SEND_FLAGS);

    return count >= 0 ? count : transfer_failure();
}

void prfdata_net_end_send(prfdata_net_socket socket)
{
    (void)shutdown((native)socket, END_SEND);
}

void prfdata_net_close(prfdata_net_socket socket)
{
    CLOSE((native)socket);
}

bool prfdata_net_wait(prfdata_net_event *events, size_t count, uint32_t wait_ms)
{
    poll_entry items[PRFDATA_NET_MAX_EVENTS];
    size_t used = 0;
    int ready;

    for (size_t i = 0; i < count; i++) {
        events[i].is_ready = false;
        if (events[i].socket == PRFDATA_NET_NONE)
            continue;
        items[used].fd = (native)events[i].socket;
        items[used].events =
            (short)((events[i].wants_receive ? POLLIN : 0) | (events[i].wants_send ? POLLOUT : 0));
        items[used++].revents = 0;
    }
    ready = POLL(items, used, wait_ms < 0x7FFFFFFF ? (int)wait_ms : 0x7FFFFFFF);
    if (ready < 0) {
        if (IS_AGAIN(LAST_ERROR()))
            return true;
        /* Wait here, because the next attempt would also fail at once. */
        PAUSE(wait_ms < FAILURE_MS ? (int)wait_ms : FAILURE_MS);
        return false;
    }
    used = 0;
    for (size_t i = 0; i < count; i++) {
        if (events[i].socket != PRFDATA_NET_NONE)
            events[i].is_ready = items[used++].revents != 0;
    }
    return true;
}
