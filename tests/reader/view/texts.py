#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Check the texts of prfview: tests/reader/view/texts.py

Both languages have a text for every number in resource.h, with the same placeholders (%1 to %3) and
the same keys, and each text fits into the program's buffer. Every menu entry has a letter. Within a
menu, and within the menu bar together with the controls that Alt reaches, no letter occurs twice.
A text with a number and a noun in the plural has another text for 1, or its number is above 1.
The words of the readers are those of reader/text/words.h. Only the texts in SAME are the same in
both languages.
"""
import os
import re
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
VIEW = os.path.join(SOURCE, 'reader/prfview')
MOST_CHARS = 2047  # strings.c
# Controls of the window that Alt reaches, in addition to the menus.
CONTROLS = ('IDS_SEARCH_LABEL', 'IDS_INTERVAL_LABEL', 'IDS_REFRESH_BUTTON', 'IDS_TREE_LABEL')
PAUSE = ('IDS_PAUSE_BUTTON', 'IDS_CONTINUE_BUTTON')  # only one of the two is visible
KEYS = {'Strg': 'Ctrl', 'Umschalt': 'Shift', 'Entf': 'Del', 'Ende': 'End', 'Links': 'Left',
        'Rechts': 'Right', 'Esc': 'Esc', 'Alt': 'Alt'}
# The singular of each text with a number and a plural, and texts that need no singular, because
# their numbers are above 1.
OF_ONE = {'IDS_TABLE_HEADING': 'IDS_TABLE_ONE', 'IDS_TABLE_SOME': 'IDS_TABLE_SOME_ONE',
          'IDS_HISTOGRAM_TITLE': 'IDS_HISTOGRAM_ONE'}
ABOVE_ONE = ('IDS_FILE_PIECES', 'IDS_FILE_PART', 'IDS_HIDDEN_LINES')

faults = []


def complain(text):
    faults.append(text)


def read(name):
    with open(os.path.join(VIEW, name), encoding='utf-8') as file:
        return file.read()


def languages():
    """Return {language: {id: text}} for the string tables."""
    found = {}
    for part in re.split(r'^LANGUAGE (\w+),.*$', read('prfview.rc.in'), flags=re.M)[1:]:
        if re.fullmatch(r'LANG_\w+', part):
            language = part
            continue
        for identifier, text in re.findall(r'^    (ID[CS]_\w+)\s+"((?:[^"\\]|\\.|"")*)"', part, re.M):
            texts = found.setdefault(language, {})
            if identifier in texts:
                complain(f'{language}: {identifier} stands twice')
            texts[identifier] = text.replace(r'\t', '\t').replace(r'\n', '\n')
    return found


def check_numbers():
    """Each number has one text. If it had two, the resource compiler would take the second one."""
    numbers = {}
    for name, number in re.findall(r'#define (ID[CS]_\w+)\s+(\d+)', read('../panes/resource.h')):
        if name != 'IDC_INTERVAL_COUNT' and numbers.setdefault(number, name) != name:
            complain(f'{name} and {numbers[number]} have the same number, {number}')


def check_pairs(texts):
    wanted = {name for name in re.findall(r'#define (ID[CS]_\w+)', read('../panes/resource.h'))
              if name not in ('IDC_INTERVAL', 'IDC_INTERVAL_COUNT', 'IDC_FIRST_PART')}
    for language, own in texts.items():
        for name in sorted(wanted ^ set(own)):
            complain(f'{language}: {name} ' + ('has no number' if name in own else 'is missing'))
        for name, text in own.items():
            if not text or len(text) > MOST_CHARS:
                complain(f'{language}: {name} has {len(text)} characters')
    english, german = texts['LANG_ENGLISH'], texts['LANG_GERMAN']
    for name in sorted(set(english) & set(german)):
        parts = [sorted(re.findall(r'%[1-3]', own[name])) for own in (english, german)]
        if parts[0] != parts[1]:
            complain(f'{name}: {parts[0]} in English, {parts[1]} in German')
        keys = [own[name].partition('\t')[2] for own in (english, german)]
        if name.startswith('IDC_') and keys[0] != '+'.join(
                KEYS.get(key, key) for key in re.split(r'(?<=[^+])\+', keys[1])):
            complain(f'{name}: the key {keys[0]} in English, {keys[1]} in German')


def check_plurals(english):
    for name, text in english.items():
        has_plural = re.search(r'%[1-3] (instances|values|samples|objects|lines|files|rows|counters)', text)
        if has_plural and name not in ABOVE_ONE and OF_ONE.get(name) not in english:
            complain(f'{name}: "{text}" is wrong for 1')


def mnemonic(text):
    found = re.search(r'&([^&])', text.partition('\t')[0].replace('&&', ''))
    return found and found.group(1).upper()


def check_letters(where, own, names):
    seen = {}
    for name in names:
        letter = mnemonic(own.get(name, '&?'))
        if not letter:
            complain(f'{where}: {name} has no mnemonic')
        elif letter in seen:
            complain(f'{where}: {letter} stands for {seen[letter]} and {name}')
        seen[letter] = name


def check_mnemonics(texts):
    menus = {}
    for menu, command in re.findall(r'\{(IDS_MENU_\w+), (\w+),', read('commands.c')):
        if command != '0':
            menus.setdefault(menu, []).append(command)
    for menu, command in re.findall(r'\{(PRFDATA_APP_\w+_MENU), (\w+)\},', read('popup_menus.c')):
        if command != '0':
            menus.setdefault(menu, []).append(command)
    if len(menus) < 8:
        complain('commands.c or popup_menus.c has too few menus: has its table another form?')
    for language, own in texts.items():
        for menu, commands in menus.items():
            check_letters(f'{language}, {menu}', own, commands)
        for pause in PAUSE:
            bar = [menu for menu in menus if menu.startswith('IDS_')]
            check_letters(f'{language}, the window', own, [*bar, *CONTROLS, pause])


def check_words(texts):
    """The resource has the words of the readers, with their numbers in the same order."""
    with open(os.path.join(SOURCE, 'reader/text/words.h'), encoding='utf-8') as file:
        listing = re.sub(r'"\s*\\\n\s*"|\s*\\\n\s*', '', file.read().partition('#define PRFDATA_WORDS_LIST')[2])
    words = re.findall(r'WORD\((\w+), ?"([^"]*)"\)', listing)
    if len(words) < 100:
        complain('words.h has too few words: has its list another form?')
    numbers = re.findall(r'#define IDS_(WORD_\w+)\s+(\d+)', read('../panes/resource.h'))
    if [name for name, _ in numbers] != [f'WORD_{name}' for name, _ in words] or \
            [int(number) for _, number in numbers] != [int(numbers[0][1]) + i for i in range(len(words))]:
        complain('resource.h has other words than words.h, or in another order')
    for name, word in words:
        if texts['LANG_ENGLISH'].get(f'IDS_WORD_{name}') != word:
            complain(f'IDS_WORD_{name}: "{texts["LANG_ENGLISH"].get(f"IDS_WORD_{name}")}", in words.h "{word}"')


# Texts that are the same in English and German.
SAME = {'IDS_TITLE', 'IDS_INTERVAL_ENTRY', 'IDS_GROUP_COMMON', 'IDS_DETAILS_LABEL', 'IDS_TAB_DETAILS', 'IDS_STATUS_LIVE',
        'IDS_LEGEND_OLD', 'IDS_OK_BUTTON', 'IDS_FILTER_PNG', 'IDS_ROW_ABSENT'}


def check_german(texts):
    """A text that is the same in both languages was probably not translated."""
    for name, text in texts['LANG_GERMAN'].items():
        if text == texts['LANG_ENGLISH'].get(name) and re.search('[A-Za-z]', text) and name not in SAME:
            complain(f'{name}: "{text}" is the same in English and German')


texts = languages()
if set(texts) != {'LANG_ENGLISH', 'LANG_GERMAN'}:
    complain(f'languages: {sorted(texts)}')
else:
    check_numbers()
    check_pairs(texts)
    check_mnemonics(texts)
    check_plurals(texts['LANG_ENGLISH'])
    check_words(texts)
    check_german(texts)
print('\n'.join(faults) if faults else f'{len(texts["LANG_ENGLISH"])} texts in 2 languages')
sys.exit(1 if faults else 0)
