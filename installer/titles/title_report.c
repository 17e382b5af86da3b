/* SPDX-License-Identifier: MIT */
/* Reports the languages that lack titles. Windows only. */
#include "titles/title_report.h"

static void report_language(const prfdata_report *report, const char *language,
                            const prfdata_title_range *range, const prfdata_model *model)
{
    wchar_t name[PRFDATA_TITLE_LANGUAGE_CHARS];
    DWORD index = 0;
    prfdata_title_state state = prfdata_title_database_look(language, range, model, &index);

    if (state == PRFDATA_TITLES_THERE || state == PRFDATA_TITLES_NO_LIST)
        return;
    prfdata_title_database_name_language(language, name);
    prfdata_report_line(report, PRFDATA_STEP_LEFT,
                        state == PRFDATA_TITLES_NO_NAMES
                            ? L"The language %ls lacks titles, the first is %lu, so readers in "
                              L"this language show numbers. -Status says more"
                            : L"The language %ls lacks help texts, the first is %lu",
                        name, (unsigned long)index);
}

void prfdata_title_report_languages(const prfdata_report *report, const prfdata_title_range *range,
                                    const prfdata_model *model)
{
    prfdata_title_languages languages;

    prfdata_title_database_languages(&languages);
    report_language(report, PRFDATA_TITLE_ENGLISH, range, model);
    for (size_t i = 0; i < languages.count; i++)
        report_language(report, languages.ids[i], range, model);
}
