/* SPDX-License-Identifier: MIT */
/* Splits what users write into an address and a port; the system parses the address. */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "os/net_address.h"

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#endif

#include <stdio.h>
#include <string.h>

/* Copy ASCII text. Returns false if the text is too long, or is not ASCII. */
static bool copy_address_text(prfdata_text text, char *ascii, size_t capacity)
{
    if (text.count >= capacity)
        return false;
    for (size_t i = 0; i < text.count; i++) {
        if (text.chars[i] == 0 || text.chars[i] >= 0x80)
            return false;
        ascii[i] = (char)text.chars[i];
    }
    ascii[text.count] = 0;
    return true;
}

static bool parse_port(const char *text, uint16_t *port)
{
    unsigned long value = 0;

    if (*text == 0 || strlen(text) > 5)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        value = value * 10 + (unsigned long)(*text - '0');
    }
    *port = (uint16_t)value;
    return value <= UINT16_MAX;
}

static bool parse_host(const char *host, prfdata_net_address *address)
{
    size_t size = strlen(host);
    char inner[64];

    if (size >= 2 && size - 2 < sizeof inner && host[0] == '[' && host[size - 1] == ']') {
        memcpy(inner, host + 1, size - 2);
        inner[size - 2] = 0;
        address->is_v6 = true;
        return inet_pton(AF_INET6, inner, address->bytes) == 1;
    }
    if (strcmp(host, "localhost") == 0)
        host = "127.0.0.1";
    else if (strcmp(host, "*") == 0)
        host = "0.0.0.0";
    return inet_pton(AF_INET, host, address->bytes) == 1;
}

bool prfdata_net_address_parse(prfdata_text address_text, prfdata_net_address *address)
{
    char text[80];
    const char *colon;
    prfdata_net_address parsed;
    char host[64];

    if (!copy_address_text(address_text, text, sizeof text))
        return false;
    colon = strrchr(text, ':');
    memset(&parsed, 0, sizeof parsed);
    if (!parse_port(colon ? colon + 1 : text, &parsed.port))
        return false;
    if (!colon) {
        snprintf(host, sizeof host, "localhost");
    } else {
        if ((size_t)(colon - text) >= sizeof host)
            return false;
        memcpy(host, text, (size_t)(colon - text));
        host[colon - text] = 0;
    }
    if (!parse_host(host, &parsed))
        return false;
    *address = parsed;
    return true;
}
