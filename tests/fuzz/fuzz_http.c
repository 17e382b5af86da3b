/* SPDX-License-Identifier: MIT */
/* Sends any bytes as an HTTP request. The verdict must not depend on the pieces in which the bytes
 * come. Bytes that come after the verdict must not change it. Each request that is answered must be
 * valid by a second implementation of the grammar, which is simple and slow.
 *
 * Input: one byte (bit 0: the computer has names; bits 1 to 7: the size of the pieces minus one),
 * then the bytes that a client sends. */
#include <string.h>

#include "fuzz.h"
#include "prometheus/http.h"

/* Returns the names of the computer. The parser accepts these names, localhost and addresses as
 * hosts. */
static const prfdata_http_names *names_of(bool has_names)
{
    static const char bytes[] = "a\0host.example";
    static const prfdata_http_names none = {NULL, 0};
    static const prfdata_http_names some = {bytes, sizeof bytes};

    return has_names ? &some : &none;
}

static unsigned parse_whole(const char *bytes, size_t size, bool has_names,
                            prfdata_http_request *request)
{
    prfdata_http_parser parser = {0};

    return prfdata_http_parse(&parser, bytes, size, names_of(has_names), request);
}

/* ---- The second implementation of the grammar ---- */

typedef struct http_lines {
    const char *at;
    const char *end;
} http_lines;

/* Get the next line without its end. Returns false after the last one. */
static bool next_line(http_lines *l, char *line, size_t capacity)
{
    size_t size = 0;

    if (l->at == l->end)
        return false;
    while (l->at < l->end && *l->at != '\n') {
        FUZZ_CHECK(size + 1 < capacity);
        line[size++] = *l->at++;
    }
    if (l->at < l->end)
        l->at++;
    if (size > 0 && line[size - 1] == '\r')
        size--;
    line[size] = 0;
    FUZZ_CHECK(strlen(line) == size); /* no NUL */
    return true;
}

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Check the request line, such as "GET /metrics HTTP/1.1". It may also be of HEAD or of the other
 * page, have a query, or be in absolute form. */
static void check_request_line(const char *line, const prfdata_http_request *request)
{
    const char *target = strchr(line, ' ');
    const char *version = strrchr(line, ' ');
    const char *path;

    FUZZ_CHECK(starts_with(line, request->is_head ? "HEAD " : "GET "));
    FUZZ_CHECK(target && version && target != version);
    FUZZ_CHECK(memchr(target + 1, ' ', (size_t)(version - target - 1)) == NULL);
    FUZZ_CHECK(starts_with(version, " HTTP/1.") && strlen(version) == 9);
    FUZZ_CHECK(version - target - 1 <= PRFDATA_HTTP_TARGET_BYTES);
    path = target + 1;
    if (*path != '/') {
        FUZZ_CHECK(path[4] == ':' && path[5] == '/' && path[6] == '/');
        path += 7;
        while (*path != '/' && *path != ' ')
            path++;
    }
    if (request->page == PRFDATA_HTTP_METRICS)
        FUZZ_CHECK(starts_with(path, "/metrics ") || starts_with(path, "/metrics?"));
    else
        FUZZ_CHECK(*path == ' ' || starts_with(path, "/ ") || starts_with(path, "/?"));
}

static bool is_field(const char *line, const char *name)
{
    size_t i = 0;

    for (; name[i]; i++) {
        if ((line[i] | 0x20) != name[i] && line[i] != name[i])
            return false;
    }
    return line[i] == ':';
}

static void check_answered(const char *bytes, size_t size, const prfdata_http_request *request)
{
    static char line[PRFDATA_HTTP_HEAD_BYTES + 1];
    http_lines l = {bytes,
                    bytes + (size < PRFDATA_HTTP_HEAD_BYTES ? size : PRFDATA_HTTP_HEAD_BYTES)};
    unsigned hosts = 0;
    bool is_1_0;

    do {
        FUZZ_CHECK(next_line(&l, line, sizeof line));
    } while (*line == 0);
    check_request_line(line, request);
    is_1_0 = line[strlen(line) - 1] == '0';
    for (;;) {
        FUZZ_CHECK(next_line(&l, line, sizeof line));
        if (*line == 0)
            break;
        FUZZ_CHECK(strchr(line, ':') != NULL && *line != ':' && *line != ' ' && *line != '\t');
        FUZZ_CHECK(!is_field(line, "transfer-encoding"));
        if (is_field(line, "content-length"))
            FUZZ_CHECK(strpbrk(strchr(line, ':'), "123456789-+") == NULL);
        hosts += is_field(line, "host");
    }
    FUZZ_CHECK(hosts == 1 || (hosts == 0 && is_1_0));
}

static void check_pieces(const char *bytes, size_t size, size_t piece, bool has_names,
                         unsigned verdict, const prfdata_http_request *wanted)
{
    prfdata_http_parser parser = {0};
    prfdata_http_request request;
    unsigned status = PRFDATA_HTTP_MORE;
    size_t come = 0;

    while (status == PRFDATA_HTTP_MORE && come < size) {
        come = size - come < piece ? size : come + piece;
        status = prfdata_http_parse(&parser, bytes, come, names_of(has_names), &request);
        FUZZ_CHECK(parser.scanned <= come && parser.line_begin <= parser.scanned);
    }
    FUZZ_CHECK(status == verdict);
    if (status == PRFDATA_HTTP_OK)
        FUZZ_CHECK(request.is_head == wanted->is_head && request.page == wanted->page &&
                   request.wants_open_metrics == wanted->wants_open_metrics);
}

static void check_refusal(unsigned status, bool is_head)
{
    char *room = fuzz_memory(PRFDATA_HTTP_REPLY_BYTES);
    char begin[32];
    size_t size = prfdata_http_put_refusal(room, status, is_head);

    snprintf(begin, sizeof begin, "HTTP/1.1 %u ", status);
    FUZZ_CHECK(size < PRFDATA_HTTP_REPLY_BYTES && memcmp(room, begin, strlen(begin)) == 0);
    free(room);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    prfdata_http_request request;
    bool has_names;
    size_t piece;
    unsigned status;
    char *exact;

    if (size == 0)
        return 0;
    has_names = (bytes[0] & 1) != 0;
    piece = (size_t)(bytes[0] >> 1) + 1;
    size--;
    exact = fuzz_memory(size);
    memcpy(exact, bytes + 1, size);

    status = parse_whole(exact, size, has_names, &request);
    check_pieces(exact, size, piece, has_names, status, &request);
    if (status == PRFDATA_HTTP_OK)
        check_answered(exact, size, &request);
    else if (status != PRFDATA_HTTP_MORE)
        check_refusal(status, request.is_head);
    else
        FUZZ_CHECK(size < PRFDATA_HTTP_HEAD_BYTES);
    /* A request that is answered if the computer has no names must also be answered if it
     * has names. */
    if (!has_names && status == PRFDATA_HTTP_OK)
        FUZZ_CHECK(parse_whole(exact, size, true, &request) == PRFDATA_HTTP_OK);
    free(exact);
    return 0;
}
