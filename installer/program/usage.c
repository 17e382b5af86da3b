/* SPDX-License-Identifier: MIT */
/* Contains the texts of -?. The caller prints them. Windows only. */
#include "program/usage.h"

#include <stdio.h>
#include <wchar.h>

#include <windows.h>

#include "emit/emit.h"

#define WIDE_OF(text)                                  L##text
#define WIDE(text)                                     WIDE_OF(text)
#define EMIT_KIND_LINE(name, function, obstacle, help) L"  " WIDE(#name) L": " WIDE(help) L"\n"

/*
 * This format has four arguments: the name of the program, the sentence about services, the name
 * of the program again, and the name of a service.
 */
static const wchar_t usage[] =
    L"Registers performance counters with Windows.\n"
    L"\n"
    L"  %ls COMMAND [OPTION...] [SERVICE...]\n"
    L"\n"
    L"Commands:\n"
    L"  -Install              register counters, or update their registration\n"
    L"  -Status               examine the registration: the lines of lodctr /Q, the\n"
    L"                        programs that publish, what is wrong, and the commands\n"
    L"                        that fix it\n"
    L"  -Status -f JSON       the same as JSON, for programs\n"
    L"  -Repair               run the safe ones of these commands, and print them\n"
    L"  -Uninstall            remove what -Install created, unless another version of\n"
    L"                        the map is registered\n"
    L"  -Reset                set the counts of ended programs to zero\n"
    L"  -Ini DIR              write the English .ini file and the symbol header into\n"
    L"                        DIR, and do nothing else\n"
    L"  -Emit KIND [-o FILE]  write a configuration for another program from the\n"
    L"                        maps; the kinds are listed below\n"
    L"  -Convert INI [-o FILE]\n"
    L"                        make a map file from an .ini file for lodctr and its\n"
    L"                        symbol header\n"
    L"  -Check                check the maps, and do nothing else; builds run this\n"
    L"  -Version              show the version of PrfData\n"
    L"  -?                    show this text\n"
    L"\n"
    L"%ls\n"
    L"  %ls -Status %hs\n"
    L"\n";

static const wchar_t of_own_maps[] =
    L"A command applies to all services of this program, or only to those that you\n"
    L"name:";

static const wchar_t of_map_files[] =
    L"Option of all commands:\n"
    L"  -Map FILE             the map file to use; repeat it for several files\n"
    L"\n"
    L"A command applies to all services of the map files, or only to those that you\n"
    L"name. Without -Map, the named services are used as registered:";

static const wchar_t *const help[] = {
    L"Options of -Install; an option that you omit keeps its previous value:\n"
    L"  -Writers Services     who may publish, next to SYSTEM and Administrators:\n"
    L"                        services (the default)\n"
    L"  -Writers Users        all users and services, for desktop programs\n"
    L"  -Writers ACCOUNT,...  the accounts or groups in this list: DOMAIN\\name,\n"
    L"                        \"NT SERVICE\\service\", \"IIS AppPool\\pool\", SIDs,\n"
    L"                        Services, Users; in quotes if it has blanks\n"
    L"  -Arch native          register the DLL of the system's own bitness: 64-bit\n"
    L"                        readers on 64-bit Windows (the default)\n"
    L"  -Arch x86             register the 32-bit DLL: 32-bit readers see the\n"
    L"                        counters, 64-bit readers through perfhost.exe\n"
    L"  -Force                install even if ids change their meaning, or another\n"
    L"                        product has registered the service; what was counted\n"
    L"                        for them is lost\n"
    L"  -AllowUserWritableDll for developers: register the DLL even if users other\n"
    L"                        than administrators can replace it, and report that\n"
    L"\n"
    L"Option of -Uninstall:\n"
    L"  -Any                  also remove what another version of the map registered\n"
    L"\n",
    L"Option of -Ini, and of -Emit and -Convert with -o:\n"
    L"  -y                    also replace a file that this command did not write\n"
    L"\n",
    L"Kinds of -Emit:\n" PRFDATA_EMIT_KINDS(EMIT_KIND_LINE) L"\n",
    L"Option of -Check:\n"
    L"  -Providers SERVICE,...\n"
    L"                        the services that providers are built for: a map whose\n"
    L"                        service is not among them is a mistake\n"
    L"\n",
    L"The provider is <service>Prf.dll in the folder of this program, otherwise\n"
    L"PrfDataProvider.dll there. If the provider is for another bitness than this\n"
    L"program, it is in the folder x86, x64 or arm64 there. -Install registers a copy\n"
    L"of the provider in the same folder. Options may begin with / instead of -, in\n"
    L"upper or lower case. -Install, -Repair, -Uninstall and -Reset need an elevated\n"
    L"prompt.\n"
    L"\n",
    L"Exit codes:\n"
    L"  0  done; -Status: installed, with the map of this program, and nothing is\n"
    L"     wrong; -Uninstall: even if another version of the map is registered, which\n"
    L"     stays\n"
    L"  1  failed; -Install has undone its changes; -Check: a map has mistakes\n"
    L"  2  the command line has a mistake\n"
    L"  3  needs an elevated prompt\n"
    L"  4  done, but a line says what is left to do, for example to end a program\n"
    L"     that publishes and to uninstall again\n"
    L"  5  not installed\n"
    L"  6  installed, but something is wrong, or a program is not shown\n"
    L"\n"};

void prfdata_usage_show(const wchar_t *program, const prfdata_map *const *maps, size_t map_count,
                        prfdata_usage_line *show)
{
    const wchar_t *applies = map_count > 0 ? of_own_maps : of_map_files;
    wchar_t first[(sizeof usage + sizeof of_map_files) / sizeof usage[0] + 2 * MAX_PATH +
                  PRFDATA_MAX_SERVICE_CHARS];

    (void)swprintf(first, sizeof first / sizeof first[0], usage, program, applies, program,
                   map_count > 0 ? maps[0]->service : "MyService");
    show(first);
    for (size_t i = 0; i < sizeof help / sizeof help[0]; i++)
        show(help[i]);
    if (map_count > 0)
        show(L"Services of this program:\n");
    for (size_t i = 0; i < map_count; i++) {
        wchar_t line[PRFDATA_MAX_SERVICE_CHARS + 8];

        (void)swprintf(line, sizeof line / sizeof line[0], L"  %hs\n", maps[i]->service);
        show(line);
    }
}
