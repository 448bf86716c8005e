# How .ci/run, .ci/night and .ci/full take their steps. Source it from the root of the repository, then end with `finish`.
# Last line: "N passed, N failed", added up from the suites' own counts; a step without counts is one.
set -uo pipefail

passed=0
failed=0
# What failed, by name: the end of a long output says it again.
failures=()
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

say() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }

# Printed below each step: seconds that passed, and seconds of a processor.
TIMEFORMAT='It took %0R s, and %0U + %0S s of a processor.'

# A step that is right or wrong as a whole.
step() {
  local name=$1
  shift
  say "$name"
  if time "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    failures+=("$name")
    printf 'FAILED: %s\n' "$name"
  fi
}

besides=0

# Runs a step or a suite in the background, as many at once as there are cores; `joined` waits for them, and says and counts each.
# For what does not look at times.
# usage: beside step|suite NAME COMMAND...
beside() {
  local log=$logs/beside-$besides
  besides=$((besides + 1))
  # Of a step before the last `joined`.
  rm -f "$log.counts" "$log.failures"
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
  {
    passed=0 failed=0 failures=()
    "$@"
    [ "$failed" -eq 0 ] || printf '%s\n' "${failures[@]}" >"$log.failures"
    printf '%s %s\n' "$passed" "$failed" >"$log.counts"
  } >"$log" 2>&1 &
}

joined() {
  local i log ok bad
  wait
  for ((i = 0; i < besides; i++)); do
    log=$logs/beside-$i
    cat "$log"
    # Without counts it died before it could count.
    read -r ok bad <"$log.counts" || { ok=0 bad=1 && failures+=("$(head -n 2 "$log" | tail -n 1)"); }
    passed=$((passed + ok))
    failed=$((failed + bad))
    while IFS= read -r name; do failures+=("$name"); done < <(cat "$log.failures" 2>/dev/null)
  done
  besides=0
}

# Prints one line, on stdout and stderr together, and succeeds.
one_line() {
  local said status=0
  said=$("$@" 2>&1) || status=$?
  printf '%s\n' "$said"
  [ "$status" -eq 0 ] && [[ $said != *$'\n'* ]]
}

# From the install to the end of the demo, what is not the program's own: npm's lines, and any warning. At most ten.
few_lines_of_others() {
  local others
  npx fareclerk demo </dev/null 2>"$logs/warnings" || return
  others=$(cat "$logs/install" "$logs/warnings" | grep -c .)
  printf '%s lines of others\n' "$others"
  [ "$others" -le 10 ]
}

# Ends what hangs. What is slow on a slow machine takes less.
bounded() { timeout 1800 "$@"; }

# What is measured under load: a machine that is busy for a moment gets a second chance, and says that it needed one.
twice() {
  "$@" || { printf 'once more: %s\n' "$*" && "$@"; }
}

# A program from a Debian package, installed if it is not there. Fails if it cannot be had: no step is skipped.
tool() {
  local name=$1 package=$2
  command -v "$name" >/dev/null && return
  as_root apt-get update -qq && as_root apt-get install -y -qq --no-install-recommends "$package"
  command -v "$name" >/dev/null || { printf '%s is not there: install the package %s\n' "$name" "$package" && false; }
}

# Only root can become another user. Without the right to, the step fails.
as_root() {
  local root=()
  [ "$(id -u)" = 0 ] || root=(sudo -n)
  "${root[@]}" env "PATH=$PATH" "$@"
}

# A vitest run: its report is counted, and a run that dies without one is a failure.
suite() {
  local name=$1 status=0 report counts
  report=$(mktemp "$logs/report-XXXXXX")
  shift
  say "$name"
  time "$@" --reporter=default --reporter=json --outputFile.json="$report" || status=$?
  counts=$(node -e '
    const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    const broken = r.testResults.filter((f) => f.status === "failed" && f.assertionResults.length === 0).length;
    const names = r.testResults.flatMap((f) =>
      [f, ...f.assertionResults].filter((t) => t.status === "failed" && (t !== f || f.assertionResults.length === 0))
        .map((t) => t.fullName ?? f.name));
    require("fs").writeFileSync(process.argv[1] + ".failed", names.map((name) => name + "\n").join(""));
    console.log(r.numPassedTests, r.numFailedTests + broken);
  ' "$report" 2>/dev/null) || counts='0 0'
  while IFS= read -r test; do failures+=("$name: $test"); done < <(cat "$report.failed" 2>/dev/null)
  passed=$((passed + ${counts% *}))
  failed=$((failed + ${counts#* }))
  if [ "$counts" = '0 0' ] || { [ "$status" -ne 0 ] && [ "${counts#* }" -eq 0 ]; }; then
    failed=$((failed + 1))
    failures+=("$name")
    printf 'FAILED: %s ended with %s, after %s tests\n' "$name" "$status" "${counts% *}"
  fi
}

finish() {
  # The second line of `times`: of all that this shell has started and waited for. In a pipe it would be another shell.
  times >"$logs/times"
  tail -n 1 "$logs/times" | xargs printf 'seconds of a processor: %s in programs, %s in the system\n'
  [ "$failed" -eq 0 ] || printf 'FAILED: %s\n' "${failures[@]}"
  printf '%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
  exit
}

# Moves all clocks from here on: of the Node.js of the install, which strips types, and of what it starts.
on_date() {
  CLOCK_AHEAD_MS=$(node -p 'Date.parse(process.argv[1]) - Date.now()' "$1")
  [ "$CLOCK_AHEAD_MS" != NaN ] || { printf 'no date: %s\n' "$1" >&2 && exit 1; }
  NODE_OPTIONS="${NODE_OPTIONS-} --import=$(node -p 'url.pathToFileURL("test/support/moved-clock.ts").href')"
  export CLOCK_AHEAD_MS NODE_OPTIONS
  node -p '"As if it were " + new Date().toISOString()'
}

# Nothing else can run without it.
install() {
  say 'install'
  npm ci 2>&1 | tee "$logs/install" && return
  failed=1
  failures+=('install')
  finish
}
