#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests how Zabbix 7.0.29's frontend stores the parameter of a multiplier from a template or the
# API.
#
# Guess: an imported text is stored unchanged, so an export has the same text and a comparison finds
# nothing.
# What happens: the code that checks the parameter replaces the text by a number, which PHP converts
# to a text again: 1e-06 becomes 1.0E-6. (6.0.14 keeps the text. Compare numbers, as
# tests/interop/program_zabbix.py does.)
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

unpack bookworm php8.2-cli 8.2.32-1~deb12u1
unpack bookworm php8.2-mbstring 8.2.32-1~deb12u1
unpack sid zabbix-frontend-php 1:7.0.29+dfsg-2
frontend=$work/zabbix-frontend-php-1:7.0.29+dfsg-2/usr/share/zabbix
cat >"$work/check.php" <<'END'
<?php
function _s($text) { return $text; }
require $argv[1].'/include/defines.inc.php';
foreach (['parsers/CParser', 'parsers/CNumberParser', 'validators/CApiInputValidator'] as $name)
    require $argv[1].'/include/classes/'.$name.'.php';
$rule = ['type' => API_FLOAT]; // of a multiplier, in the same file
$text = $argv[2];
$error = '';
echo CApiInputValidator::validate($rule, $text, '/1/params/1', $error) ? $text : $error;
END
php() {
    "$work/php8.2-cli-8.2.32-1~deb12u1/usr/bin/php8.2" -n \
        -d extension="$(echo "$work"/php8.2-mbstring-*/usr/lib/php/20*/mbstring.so)" "$@"
}
echo 'guess: 1e-06, 0.10, 1000'
seen '1e-06' "$(php "$work/check.php" "$frontend" 1e-06)" 1.0E-6
seen '0.10' "$(php "$work/check.php" "$frontend" 0.10)" 0.1
seen '1000' "$(php "$work/check.php" "$frontend" 1000)" 1000
verdict
