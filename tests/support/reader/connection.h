/* SPDX-License-Identifier: MIT */
/* Opens a client's socket to prfread's server, for tests. */
#ifndef PRFDATA_TEST_CONNECTION_H
#define PRFDATA_TEST_CONNECTION_H

#include "os/net.h"

/*
 * Begin to connect to `address` from 127.0.0.`peer`. If `peer` is 0 or `address` is an IPv6
 * address, the system chooses the address of this side. No call on the socket waits. Returns
 * PRFDATA_NET_NONE on failure. Release the socket with prfdata_net_close().
 */
prfdata_net_socket connection_open(const prfdata_net_address *address, uint8_t peer);

#endif
