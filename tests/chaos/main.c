/* SPDX-License-Identifier: MIT */
/* Contains the programs of the chaos test, which chaos.py runs.
 *
 *     chaos install <log>           makes the log and the service, and prints the regions folder.
 *                                   Then reads commands, one per line: the number of a version
 *                                   makes this version current, `u` uninstalls the counters, and
 *                                   `i` installs them again. Repeats each command as its answer.
 *                                   Removes the service at the end of its input
 *     chaos write <log> <number> <incarnation> <seed> [<how many versions it may open; default 1>]
 *     chaos read <log> <threads> <seed> <refresh in ms> [<provider DLL>]
 *     chaos equal-install [<any>]   does what `install` does, except that it makes no log. The
 *                                   service is that of equal.h, which has only one version. The
 *                                   argument is ignored
 *     chaos equal-write <seed>
 *     chaos equal-late <threads> <seed>
 *     chaos equal-read <threads> <seconds> <with plans: 0 or 1>
 *     chaos equal-total */
#include <stdlib.h>
#include <string.h>

#include "chaos/equal.h"
#include "chaos/reader.h"
#include "chaos/writer.h"
#include "support/must.h"
#include "support/service.h"

static void make_log(const char *path)
{
    FILE *file = fopen(path, "wb");

    MUST(file != NULL);
    for (size_t i = 0; i < sizeof(chaos_log); i++)
        MUST(fputc(0, file) == 0);
    MUST(fclose(file) == 0);
}

static int install(const char *name, const prfdata_map *map, uint32_t first_counter)
{
    prfdata_test_service service;

    prfdata_test_service_make(&service, name, map, first_counter);
    printf("%s\n", service.folder);
    fflush(stdout);
    for (int read = getchar(); read != EOF; read = getchar()) {
        if (read >= '0' && read < '0' + CHAOS_VERSIONS)
            prfdata_test_service_upgrade(&service, chaos_versions[read - '0']);
        else if (read == 'u')
            prfdata_test_service_uninstall(&service);
        else if (read == 'i')
            prfdata_test_service_install(&service, map, first_counter);
        else
            continue;
        printf("%c\n", read);
        fflush(stdout);
    }
    prfdata_test_service_remove(&service);
    return 0;
}

static int equal_main(int argc, char **argv)
{
    prfdata_test_service service;

    if (!strcmp(argv[1], "equal-install"))
        return install(CHAOS_EQUAL_SERVICE, &chaos_equal_map, CHAOS_EQUAL_FIRST_COUNTER);
    prfdata_test_service_join(&service, CHAOS_EQUAL_SERVICE);
    if (!strcmp(argv[1], "equal-total"))
        return chaos_equal_total();
    if (!strcmp(argv[1], "equal-write"))
        return chaos_equal_write(strtoull(argv[2], NULL, 10));
    MUST(argc >= 4);
    if (!strcmp(argv[1], "equal-late"))
        return chaos_equal_late((unsigned)strtoul(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    MUST(argc == 5);
    return chaos_equal_read((unsigned)strtoul(argv[2], NULL, 10),
                            (unsigned)strtoul(argv[3], NULL, 10), argv[4][0] == '1');
}

int main(int argc, char **argv)
{
    prfdata_test_service service;

    if (argc == 3 && !strcmp(argv[1], "install")) {
        make_log(argv[2]);
        return install(CHAOS_SERVICE, &chaos_map, CHAOS_FIRST_COUNTER);
    }
    if (argc >= 2 && !strncmp(argv[1], "equal-", 6))
        return equal_main(argc, argv);
    MUST(argc >= 6);
    prfdata_test_service_join(&service, CHAOS_SERVICE);
    if (!strcmp(argv[1], "write"))
        return chaos_writer_run(chaos_log_open(argv[2]), (unsigned)strtoul(argv[3], NULL, 10),
                                strtoull(argv[4], NULL, 10), strtoull(argv[5], NULL, 10),
                                argc > 6 ? (unsigned)strtoul(argv[6], NULL, 10) : 1);
    if (!strcmp(argv[1], "read")) {
        const chaos_reader_options options = {
            (unsigned)strtoul(argv[3], NULL, 10), strtoull(argv[4], NULL, 10),
            strtoull(argv[5], NULL, 10), argc > 6 ? argv[6] : NULL};

        return chaos_reader_run(chaos_log_open(argv[2]), &options);
    }
    return 2;
}
