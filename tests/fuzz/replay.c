/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target with the inputs of its corpus, in an ordinary build with any compiler. It
 * knows the format of a corpus (README.md), but nothing about the target.
 *
 *     fuzz_<target> tests/fuzz/corpus/<target>.txt */
#include <string.h>

#include "fuzz.h"

typedef struct replay_line {
    const char *name;
    const char *digits; /* two digits for each byte; none: the input is empty */
    size_t digit_count;
} replay_line;

/* Print a line and flush it, so that the last printed name is the input at which a run stopped. */
static void print_replay_line(const char *text)
{
    puts(text);
    fflush(stdout);
}

static void refuse_corpus(const char *path, unsigned number, const char *reason)
{
    printf("%s:%u: %s\n", path, number, reason);
    fflush(stdout);
    exit(1);
}

/* Return the file's bytes and a NUL after them. The caller frees them. */
static char *read_corpus(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text;
    long end;

    if (!file)
        refuse_corpus(path, 1, "the corpus cannot be opened");
    FUZZ_CHECK(!fseek(file, 0, SEEK_END));
    end = ftell(file);
    FUZZ_CHECK(end >= 0);
    rewind(file);
    *size = (size_t)end;
    text = fuzz_memory(*size + 1);
    FUZZ_CHECK(fread(text, 1, *size, file) == *size);
    text[*size] = 0;
    fclose(file);
    return text;
}

static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static size_t count_name_chars(const char *text)
{
    return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
}

/* Parse a line, which ends with a NUL at `end`. Returns NULL, or what is wrong with the line. */
static const char *parse_replay_line(char *text, const char *end, replay_line *line)
{
    const size_t name_chars = count_name_chars(text);

    if (name_chars == 0 || text[name_chars] != ':')
        return "no name of letters, digits, - and _ before a colon";
    text[name_chars] = 0;
    line->name = text;
    line->digits = text + name_chars + 1;
    if (line->digits < end) {
        if (*line->digits != ' ' || line->digits + 1 == end)
            return "no blank and hex digits after the colon";
        line->digits++;
    }
    line->digit_count = (size_t)(end - line->digits);
    for (size_t i = 0; i < line->digit_count; i++) {
        if (hex_value(line->digits[i]) < 0)
            return "not a hex digit (0 to 9, a to f)";
    }
    return line->digit_count % 2 ? "an odd number of hex digits" : NULL;
}

/* Runs the input in memory of exactly its size, so that a sanitizer sees a read past the end. */
static void run_replay_line(const replay_line *line)
{
    const size_t size = line->digit_count / 2;
    uint8_t *bytes = malloc(size);

    FUZZ_CHECK(size == 0 || bytes != NULL);
    for (size_t i = 0; i < size; i++)
        bytes[i] =
            (uint8_t)(hex_value(line->digits[2 * i]) << 4 | hex_value(line->digits[2 * i + 1]));
    print_replay_line(line->name);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
}

/* Return how many inputs were run. An invalid line ends the program when it is reached. */
static unsigned replay_corpus(const char *path, char *text, size_t size)
{
    const char *previous = "";
    unsigned number = 0;

    for (char *next, *at = text; at < text + size; at = next) {
        char *end = memchr(at, '\n', (size_t)(text + size - at));
        const char *mistake;
        replay_line line;

        number++;
        if (!end)
            refuse_corpus(path, number, "the line does not end");
        next = end + 1;
        *end = 0;
        mistake = parse_replay_line(at, end, &line);
        if (mistake)
            refuse_corpus(path, number, mistake);
        if (strcmp(previous, line.name) >= 0)
            refuse_corpus(path, number, "the names are not in order, or one stands there twice");
        previous = line.name;
        run_replay_line(&line);
    }
    return number;
}

int main(int count, char **arguments)
{
    unsigned inputs;
    size_t size;
    char *text;

    FUZZ_CHECK(count == 2);
    text = read_corpus(arguments[1], &size);
    inputs = replay_corpus(arguments[1], text, size);
    free(text);
    if (inputs == 0)
        refuse_corpus(arguments[1], 1, "the corpus has no input");
    printf("[  PASSED  ] %u test(s).\n", inputs); /* run-test searches for this line */
    fflush(stdout);
    return 0;
}
