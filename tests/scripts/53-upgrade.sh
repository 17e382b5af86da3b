#!/bin/bash
# SPDX-License-Identifier: MIT
# Upgrades a product while it runs. First it tries the transcript of docs/upgrading.md with real
# programs and installers of two versions. Then it installs both versions in turn, ten times. Then
# it checks how readers name counters during upgrades. ./test without arguments makes fewer
# installations. upgrade.py and labels.py have the details.
#
# Tier: test
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment
# shellcheck source=../../samples/hwinput/screen.sh
source samples/hwinput/screen.sh

built=$PRFDATA_BIN/../upgrade
programs="$WINEPREFIX/drive_c/Program Files"
tools=$WINEPREFIX/drive_c/prfdata/upgrade

uninstall() {
    "$WINE" "$programs/Queues 1/queues_installer.exe" -Uninstall -Any >/dev/null 2>&1 </dev/null || true
    [[ ! -e $tools/other.prfmap ]] ||
        "$WINE" "$tools/prfinstall.exe" -Uninstall -Any -Map "C:\\prfdata\\upgrade\\v1.prfmap" \
            -Map "C:\\prfdata\\upgrade\\other.prfmap" >/dev/null 2>&1 </dev/null || true
}

clean_up() {
    uninstall
    screen_stop
    rm -rf "$programs/Queues "[123] "$tools"
}

[[ -e $built/watch.exe ]] || fail "build the preset mingw first"
begin_wine
for version in 1 2 3; do
    rm -rf "$programs/Queues $version"
    mkdir -p "$programs/Queues $version"
    cp "$built/$version/"* "$programs/Queues $version"
done
mkdir -p "$tools"
cp "$built/watch.exe" "$built/labels.exe" "$PRFDATA_BIN/prfread.exe" "$PRFDATA_BIN/prfinstall.exe" \
    "$PRFDATA_BIN/PrfDataProvider.dll" "$PRFDATA_BIN/prfview.exe" \
    "$PRFDATA_BIN/window-driver.exe" "$tools"

for task in ${1:-transcript alternate labels}; do
    if [[ $task == labels ]]; then
        screen_start || fail "no X server: $(cat "$screen_folder/log")"
        screen_end_other_desktops || fail "another desktop of Wine does not end"
        /usr/bin/python3 -B tests/scripts/labels.py "${2:-1}"
    else
        /usr/bin/python3 -B tests/scripts/upgrade.py "$task"
    fi
    uninstall
done
