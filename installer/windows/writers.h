/* SPDX-License-Identifier: MIT */
/*
 * Replaces the names of accounts in a list for -Writers by SIDs, so that nothing depends on a name
 * service afterwards. access_list.h makes access lists of the result. Windows only.
 */
#ifndef PRFDATA_WRITERS_H
#define PRFDATA_WRITERS_H

#include <stdint.h>
#include <wchar.h>

#include "windows/access_list.h"

#define PRFDATA_WRITERS_HELP                                                                       \
    L"Give Services, Users, accounts such as DOMAIN\\name, NT SERVICE\\service or IIS "            \
    L"AppPool\\pool, or SIDs (S-1-...), separated by commas"

/*
 * Called for each account of the list, except for the words `Services` and `Users`.
 *
 * given  The account as in the list, without blanks around it.
 * sid    S-1-...
 * name   The account that Windows knows by this SID, such as CONTOSO\svc; "" if it knows none.
 */
typedef void prfdata_writers_visitor(void *context, const wchar_t *given, const wchar_t *sid,
                                     const wchar_t *name);

/*
 * Resolve a list. An account may be a name (DOMAIN\account, account@domain, NT SERVICE\service,
 * IIS AppPool\pool) or a SID. The service or pool need not exist yet, because its SID follows from
 * its name.
 *
 * list     Names separated by commas, as in prfdata_install_options.
 * sids     Receives the list with SIDs instead of names; room for PRFDATA_ACCESS_LIST_SDDL_CHARS.
 * unknown  Receives the name that could not be resolved, or ""; room for PRFDATA_WRITER_CHARS.
 * visit    May be NULL.
 *
 * Returns ERROR_SUCCESS, ERROR_NONE_MAPPED (Windows does not know the account, or it is no account
 *         that a program can have), ERROR_INVALID_PARAMETER (an empty or too long name, too many
 *         names), or the system's error, for example if no domain controller answers.
 */
uint32_t prfdata_writers_resolve(const wchar_t *list, wchar_t *sids, wchar_t *unknown,
                                 prfdata_writers_visitor *visit, void *context);

#endif
