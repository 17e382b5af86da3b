#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests the modules for other languages on Linux, where their users test. Each example must count
# ten jobs. Each library is found next to the program, or the error explains its absence. Every
# function is called with values of other types, with NUL in names, with fractions, with huge
# amounts, and after close (tests/bindings). The module for PowerShell is only parsed.
# 80-languages.sh runs the languages under Wine.
#
# Tier: all
# Builds: linux linux-asan
# Job: native
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"

library=$PWD/build/linux-asan/lib/libprfdata.so
fast=$PWD/build/linux/lib/libprfdata.so
map=$PWD/bindings/queues.prfmap
# The sweeps also use a counter for the time since a start.
cat "$map" - >"$work/sweep.prfmap" <<'END'

[object UPTIME]
id=20
name=Uptime
help=How long it runs.
[counter UPTIME_OPEN]
id=21
name=Open
help=Seconds since the start.
type=PERF_ELAPSED_TIME
END
missing=

# Preload the sanitizer's runtime, because the library needs it and Python does not have it.
run_python() {
    (cd "$work/languages" &&
        PRFDATA_LIBRARY=$library PYTHONPATH=$OLDPWD/bindings/python PYTHONDONTWRITEBYTECODE=1 \
            LD_PRELOAD=$(cc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 \
            /usr/bin/python3 "$@" 2>&1) || fail "$*"
}

[[ -e $library && -e $fast ]] || fail "build the presets linux-asan and linux first"
/usr/bin/python3 -B tests/scripts/documents.py extract "$work"
cp bindings/queues.prfmap "$work/languages"

[[ $(run_python "$PWD/bindings/python/example.py" </dev/null | tail -n 2 | sed -n 1p) == 'jobs 10, depth 3' ]] ||
    fail "bindings/python/example.py did not count"
cat >"$work/languages/close.py" <<'END'
import prfdata

first = prfdata.open("queues.prfmap")
first.close()
second = prfdata.open("queues.prfmap")  # in C this may be the same publisher
second.add("QUEUES", "mail").counter("QUEUES_JOBS").increment()
first.close()
mail = second.find("QUEUES", "mail")
print("jobs", mail.counter("QUEUES_JOBS").value, mail.error, mail.counter("QUEUES_JOBS").error)
print("misspelt", second.add("QUEUE", "mail").error, mail.counter("QUEUES_JOSB").error,
      mail.average("QUEUES_JOSB").error, mail.distribution(99).error,
      second.find("QUEUES", "fax").error, second.single.counter("QUEUES_JOBS").error)
END
[[ $(run_python close.py) == $'jobs 1 0 0\nmisspelt 1168 1168 1168 1168 1168 87' ]] ||
    fail "a second close closes what another opened, or a mistake has another code: $(run_python close.py)"
[[ $(run_python count.py) == *"of PrfDataQueues where no reader sees them, because they are not installed"* ]] ||
    fail "count.py of docs/languages.md did not say why it is not seen"
echo 'not an object' >"$work/languages/queues.prfmap"
[[ $(run_python count.py) == *"because of its line 1: This is neither a section"* ]] ||
    fail "a wrong map file is not reported"
said=$(PRFDATA_LIBRARY=$work/none.so PYTHONPATH=$PWD/bindings/python PYTHONDONTWRITEBYTECODE=1 \
    /usr/bin/python3 -c 'import prfdata' 2>&1 || true)
[[ $said == *"ImportError: prfdata: $work/none.so cannot be loaded"*"Put libprfdata.so, for the bitness of this Python, next to"* ]] ||
    fail "a missing library is not explained: $said"
[[ $(run_python "$PWD/tests/bindings/sweep.py" "$work/sweep.prfmap") == swept ]] || fail "the sweep in Python"
cp bindings/queues.prfmap "$work/testing-your-counters"
(cd "$work/testing-your-counters" && PRFDATA_LIBRARY=$fast PYTHONPATH=$OLDPWD/bindings/python \
    PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m unittest test_queues.py) >"$work/said" 2>&1 ||
    fail "test_queues.py of docs/testing-your-counters.md: $(<"$work/said")"
echo "passed: Python"

# counts <language> <example> <sweep>: check that the example counts ten jobs, of which three wait,
# and that the sweep passes. Then remove the library, and check that the example's error names it.
counts() {
    local language=$1 said
    said=$("$2" "$map" </dev/null 2>&1) || fail "the example in $language: $said"
    [[ $said == *$'\njobs 10, depth 3\n'* ]] || fail "the example in $language says: $said"
    said=$("$3" "$work/sweep.prfmap" 2>&1) || fail "the sweep in $language: $said"
    [[ $said == *swept ]] || fail "the sweep in $language says: $said"
    rm "$work/$language/libprfdata.so"
    said=$("$2" "$map" </dev/null 2>&1) || true
    [[ $said == *libprfdata.so* ]] || fail "the example in $language does not say which library is missing: $said"
    echo "passed: $language"
}

languages_go() {
    command -v go >/dev/null || { missing+=' go'; return; }
    cp -r bindings/go "$work/Go/source"
    mkdir "$work/Go/source/sweep"
    cp tests/bindings/sweep.go "$work/Go/source/sweep"
    (cd "$work/Go/source" && GOCACHE=$PRFDATA_CACHE/go GOFLAGS=-mod=mod GOPROXY=off go vet ./... &&
        GOOS=windows GOCACHE=$PRFDATA_CACHE/go GOFLAGS=-mod=mod GOPROXY=off go vet ./... &&
        GOCACHE=$PRFDATA_CACHE/go GOFLAGS=-mod=mod GOPROXY=off go build -o "$work/Go" ./example ./sweep) ||
        fail "Go does not build"
    # Build as docs/languages.md says: the example, and the project of a user.
    (cd "$work/Go/source" && GOCACHE=$PRFDATA_CACHE/go GOPROXY=off go build -o queues.exe ./example) ||
        fail "the recipe for Go does not build"
    mkdir "$work/Go/own"
    printf 'package main\n\nimport "prfdata.example/prfdata/prfdata"\n\nfunc main() { prfdata.Open("").Close() }\n' \
        >"$work/Go/own/main.go"
    (cd "$work/Go/own" && export GOCACHE=$PRFDATA_CACHE/go GOPROXY=off && go mod init example.com/own &&
        go mod edit -require prfdata.example/prfdata@v0.0.0 -replace prfdata.example/prfdata=../source &&
        go build .) >"$work/said" 2>&1 || fail "a project in Go: $(<"$work/said")"
    mkdir "$work/Go/source/queues"
    cp "$work"/testing-your-counters/queues* "$work/Go/source/queues"
    said=$(cd "$work/Go/source" && PRFDATA_LIBRARY=$fast GOCACHE=$PRFDATA_CACHE/go GOFLAGS=-mod=mod GOPROXY=off \
        go test ./queues 2>&1) || fail "queues_test.go of docs/testing-your-counters.md: $said"
    counts Go "$work/Go/example" "$work/Go/sweep"
    ! said=$(cd "$work/Go/source" && CGO_ENABLED=0 GOCACHE=$PRFDATA_CACHE/go GOPROXY=off go build ./prfdata 2>&1) ||
        fail "Go builds a module that cannot work"
    [[ $said == *needs_cgo_on_this_system* ]] || fail "Go without cgo says: $said"
}

languages_rust() {
    local rustc=/usr/bin/rustc # Debian's
    [[ -x $rustc ]] || rustc=$(command -v rustc) || { missing+=' rust'; return; }
    "$rustc" --edition 2018 --crate-name prfdata --crate-type rlib -D warnings -o "$work/Rust/libprfdata.rlib" \
        bindings/rust/src/lib.rs || fail "the crate does not build"
    local name
    for name in bindings/rust/examples/queues.rs tests/bindings/sweep.rs; do
        "$rustc" --edition 2018 --extern "prfdata=$work/Rust/libprfdata.rlib" \
            -o "$work/Rust/$(basename "$name" .rs)" "$name" || fail "$name does not build"
    done
    counts Rust "$work/Rust/queues" "$work/Rust/sweep"
}

# mono_program <program>: make a command that runs the program by mono.
mono_program() {
    printf '#!/bin/sh\nexec mono "%s" "$@"\n' "$1" >"${1%.exe}"
    chmod +x "${1%.exe}"
}

languages_csharp() {
    command -v mcs >/dev/null || { missing+=' csharp'; return; }
    mcs -unsafe -langversion:5 -warnaserror -out:"$work/CSharp/example.exe" bindings/csharp/*.cs &&
        mcs -unsafe -langversion:5 -out:"$work/CSharp/sweep.exe" bindings/csharp/PrfData.cs tests/bindings/Sweep.cs ||
        fail "C# does not build"
    mono_program "$work/CSharp/example.exe"
    mono_program "$work/CSharp/sweep.exe"
    counts CSharp "$work/CSharp/example" "$work/CSharp/sweep"
}

# Install like a user: npm install of the folder brings koffi. Run the sweep twice: as in Electron,
# which forbids buffers of foreign memory, and as in Node.js.
languages_node() {
    command -v npm >/dev/null || { missing+=' node'; return; }
    cp bindings/node/* tests/bindings/sweep.js "$work/Node"
    (cd "$work/Node" && timeout 300 npm install --silent --no-audit --no-fund) >/dev/null 2>&1 </dev/null ||
        { missing+=' node (the registry does not answer)'; return; }
    printf '#!/bin/sh\nexec node "%s/example.js" "$@"\n' "$work/Node" >"$work/Node/example"
    printf '#!/bin/sh\nPRFDATA_SWEEP=electron node "%s/sweep.js" ./prfdata "$@" && exec node "%s/sweep.js" ./prfdata "$@"\n' \
        "$work/Node" "$work/Node" >"$work/Node/sweep"
    chmod +x "$work/Node/example" "$work/Node/sweep"
    # Make the project of a user, as docs/languages.md says.
    mkdir "$work/own"
    echo '{"name": "own", "version": "1.0.0", "type": "module"}' >"$work/own/package.json"
    printf 'import prfdata from "prfdata";\nconsole.log(prfdata.open("none").error);\n' >"$work/own/main.js"
    (cd "$work/own" && timeout 300 npm install --silent --no-audit --no-fund ../Node && node main.js) \
        >"$work/said" 2>&1 </dev/null || fail "a project in Node.js: $(<"$work/said")"
    [[ $(<"$work/said") == 2 ]] || fail "a project in Node.js says: $(<"$work/said")"
    counts Node "$work/Node/example" "$work/Node/sweep"
}

for language in Go Rust CSharp Node; do
    mkdir "$work/$language"
    cp "$fast" "$work/$language"
    "languages_${language,,}"
done

# npm_package <name> <version> <sum>: print its folder. Without npm or a network, the whole script
# ends here.
npm_package() {
    scripts/npm-package "$@" 2>"$work/why" && return
    [[ $? -eq 77 ]] || fail "$(<"$work/why")"
    cat "$work/why"
    return 77
}

parse() {
    node tests/scripts/powershell.cjs "$runtime" "$grammar" "$@" 2>&1
}

command -v node >/dev/null || skip "no node here: PowerShell is not parsed"
runtime=$(npm_package web-tree-sitter 0.27.1 \
    7346db659eb870a5284242851ab7aedea41d7397b8c7e95ff8d9ec5b5a80270f) || skip "$runtime"
grammar=$(npm_package tree-sitter-powershell 0.26.4 \
    92f0ce6497f1456248eb1a2d74c567cdfb1328cccd573c1a48d1b7c4e76b53e3) || skip "$grammar"
parse bindings/powershell/* || fail "this is not PowerShell"
sed 's/^}$//' bindings/powershell/PrfData.psm1 >"$work/wrong.psm1"
! parse "$work/wrong.psm1" >"$work/mistakes" || fail "a file without its braces is PowerShell, too"
echo "passed: PowerShell is parsed"
[[ -z $missing ]] || skip "not here:$missing"
