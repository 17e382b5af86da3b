/* SPDX-License-Identifier: MIT */
/* Implements connecting with Winsock and BSD sockets. The product only listens, so it has no
 * function that connects. */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "support/reader/connection.h"

#include <string.h>

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#endif

#ifdef _WIN32
static bool unblock_connection(prfdata_net_socket socket)
{
    u_long on = 1;

    return ioctlsocket((SOCKET)socket, (long)FIONBIO, &on) == 0;
}

static bool bind_connection(prfdata_net_socket socket, const struct sockaddr *name,
                            socklen_t name_bytes)
{
    return bind((SOCKET)socket, name, name_bytes) == 0;
}

static bool begin(prfdata_net_socket socket, const struct sockaddr *name, socklen_t name_bytes)
{
    return connect((SOCKET)socket, name, name_bytes) == 0 || WSAGetLastError() == WSAEWOULDBLOCK;
}
#else
static bool unblock_connection(prfdata_net_socket socket)
{
    return fcntl((int)socket, F_SETFL, O_NONBLOCK) == 0;
}

static bool bind_connection(prfdata_net_socket socket, const struct sockaddr *name,
                            socklen_t name_bytes)
{
    return bind((int)socket, name, name_bytes) == 0;
}

static bool begin(prfdata_net_socket socket, const struct sockaddr *name, socklen_t name_bytes)
{
    return connect((int)socket, name, name_bytes) == 0 || errno == EINPROGRESS;
}
#endif

static bool bind_to_peer(prfdata_net_socket socket, uint8_t peer)
{
    struct sockaddr_in own;

    memset(&own, 0, sizeof own);
    own.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl(0x7F000000u + peer);
    return bind_connection(socket, (const struct sockaddr *)&own, sizeof own);
}

static prfdata_net_socket connect_to(int family, uint8_t peer, const struct sockaddr *name,
                                     socklen_t name_bytes)
{
    const prfdata_net_socket made = (prfdata_net_socket)socket(family, SOCK_STREAM, 0);

    if (made != PRFDATA_NET_NONE && unblock_connection(made) &&
        (peer == 0 || bind_to_peer(made, peer)) && begin(made, name, name_bytes))
        return made;
    if (made != PRFDATA_NET_NONE)
        prfdata_net_close(made);
    return PRFDATA_NET_NONE;
}

prfdata_net_socket connection_open(const prfdata_net_address *address, uint8_t peer)
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    memset(&v4, 0, sizeof v4);
    v4.sin_family = AF_INET;
    v4.sin_port = htons(address->port);
    memcpy(&v4.sin_addr, address->bytes, 4);
    memset(&v6, 0, sizeof v6);
    v6.sin6_family = AF_INET6;
    v6.sin6_port = v4.sin_port;
    memcpy(&v6.sin6_addr, address->bytes, 16);
    return address->is_v6 ? connect_to(AF_INET6, 0, (const struct sockaddr *)&v6, sizeof v6)
                          : connect_to(AF_INET, peer, (const struct sockaddr *)&v4, sizeof v4);
}
