/* SPDX-License-Identifier: MIT */
/* Reads an IP address with a port, as users write it; net.h opens sockets for it. */
#ifndef PRFDATA_READER_NET_ADDRESS_H
#define PRFDATA_READER_NET_ADDRESS_H

#include "text/text.h"

typedef struct prfdata_net_address {
    bool is_v6;
    uint8_t bytes[16]; /* only the first 4 unless is_v6 */
    uint16_t port;     /* 0: any free port */
} prfdata_net_address;

/*
 * Read "port", "address:port", "[IPv6]:port", "localhost:port" or "*:port" (all addresses of IPv4).
 * A port alone means 127.0.0.1. Returns false for any other text.
 */
bool prfdata_net_address_parse(prfdata_text text, prfdata_net_address *address);

#endif
