#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests that the installer never waits when it opens a file in the data folder. A program of another
# account can have a file there and hold an oplock on it. The installer must not wait until that
# program gives up the oplock. Wine has no oplocks, but it shows the options of each call. Every
# call that opens an existing file or folder must have FILE_COMPLETE_IF_OPLOCKED.
#
# Tier: all
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
COMPLETE_IF_OPLOCKED=0x100
CREATE=2 # the disposition FILE_CREATE, the only one that never opens an existing file

prfdata_wine_environment
regions=$WINEPREFIX/drive_c/ProgramData/PrfData/PrfDataTestThings

shown=output

# run <what must be opened> <argument>...: run the installer and check every call that opens a file.
run() {
    local wanted=$1 line options opened=0 found=
    shift
    # Use no pipe, because Wine's services would hold it open.
    WINEDEBUG=-all,trace+file tests/wine/run "$work/test-installer.exe" "$@" \
        PrfDataTestThings >"$work/output" 2>"$work/log" </dev/null || fail "$*: $(<"$work/output")"
    while read -r line; do
        [[ $line =~ 'options='([0-9a-f]+) ]] || fail "no options: $line"
        options=$((16#${BASH_REMATCH[1]}))
        ((options & COMPLETE_IF_OPLOCKED)) || fail "$*: this may wait for an oplock: $line"
        opened=$((opened + 1))
        [[ $line != *"$wanted"\"* ]] || found=yes
    done < <(grep -a 'NtCreateFile.*ProgramData\\\\PrfData' "$work/log" | grep -av " disp=$CREATE ")
    [[ $found ]] || fail "$*: $opened calls, none of which opens $wanted"
}

# The installer writes and removes copies of the DLL next to itself, and a test of the build may run
# the same installer at this moment. So use copies of both.
cp "$PRFDATA_BIN/test-installer.exe" "$PRFDATA_BIN/PrfDataTestThingsPrf.dll" "$work"

# -Status reads the counters, too. Under Wine, that needs the workaround.
tests/wine/install-workaround "$PRFDATA_BIN/prfdata-wine-workaround.dll"
run 'PrfData\\PrfDataTestThings.ini' -Install -AllowUserWritableDll
run 'PrfData\\PrfDataTestThings' -Status
echo dead >"$regions/b0b0b0b0b0b0b0b0-00000000000000aa.region"
run '00000000000000aa.region' -Status
# -Install deletes files from before the last restart.
run '00000000000000aa.region' -Install -AllowUserWritableDll
echo dead >"$regions/b0b0b0b0b0b0b0b0-00000000000000ab.region"
run '00000000000000ab.region' -Uninstall
[[ ! -e $regions ]] || fail 'the folder is still there'
echo 'no call waits for an oplock'
