# Starts a program that keeps running without the connection, or follows one, and prints its output. POSIX sh for dash,
# bash and busybox.
#
#   sh -c SCRIPT sh ID start|follow STDOUT_OFFSET STDERR_OFFSET LIMIT_SECONDS BLOCKS MARK env|plain sudo|none TAG TICKS
#     PROGRAM ARGUMENT…
#
# include environment.sh
# include detached/state.sh
# include detached/supervise.sh

report() { printf '%s%s\n' "$mark" "$1"; exit 0; }

# Reports why the state cannot be written. The shell does not print the reason, but cat does.
report_failure() {
  set +C
  message=$(cat /proc/self/stat 2>&1 >"$work.state")
  rm -f "$work".*
  report "failed $message"
}

start() {
  # shellcheck disable=SC2174 # the mode is for the deepest folder only
  [ -d "$base" ] || message=$(mkdir -p -m 700 "$base" 2>&1) || report "failed $message"
  # The process that creates the file starts the program; others follow.
  set -C
  { true >"$work.state"; } 2>/dev/null || { [ -e "$work.state" ] || report_failure; set +C; return; }
  set +C
  # Forked processes keep this name until they execute another program.
  echo "$tag" >/proc/self/comm
  # Later states overwrite the same block, so they need no free space.
  { echo "starting $tag $$" >"$work.state" && [ -s "$work.state" ] && : >"$work.out" && : >"$work.err"; } 2>/dev/null || report_failure
  ( supervise "$@" ) </dev/null >/dev/null 2>&1 &
  supervisor=$!
}

# Prints new output. The descriptors stay open and keep their position.
emit() {
  [ ! -s "$work.out" ] || { $read_out <&3; read_out='cat'; }
  [ ! -s "$work.err" ] || { $read_err <&4 >&2; read_err='cat'; }
}

# The state may be overwritten while it is read, so only a second read can confirm that the process has vanished.
confirm_vanished() {
  read_state
  [ "$state" != ended ] && ! is_alive || return
  read_state
  [ "$state" = ended ] || state=vanished
}

tick() {
  ( while sleep 0.1 || sleep 1; do kill -USR1 $$ || exit; done ) </dev/null >/dev/null 2>&1 3<&- 4<&- & ticker=$!
}

follow() {
  n=0
  while [ ! -e "$work.err" ]; do
    n=$((n + 1))
    [ "$n" -lt 20 ] || report vanished
    sleep 0.1 || sleep 1
  done
  exec 3<"$work.out" 4<"$work.err"
  read_out='cat' read_err='cat' ticks=0
  [ "$from_out" = 0 ] || read_out="tail -c +$((from_out + 1))"
  [ "$from_err" = 0 ] || read_err="tail -c +$((from_err + 1))"
  ticker=
  [ -n "$supervisor" ] || tick
  while :; do
    read_state
    case $state in running | starting) is_alive || confirm_vanished ;; esac
    emit
    case $state in ended | vanished) break ;; esac
    ticks=$((ticks + 1))
    [ "$ticks" -lt "$max_ticks" ] || [ "$state" = starting ] || { state=${state:+more}; break; }
    [ -n "$woken" ] || wait "${supervisor:-$ticker}"
    woken=
    # A ticker is only needed while the program is running.
    read_state
    [ "$state" = ended ] || [ -n "$ticker" ] || tick
  done
  # bash would print that the ticker was killed.
  exec 2>/dev/null
  [ -z "$ticker" ] || kill "$ticker"
  case $state in ended) report "ended $state_tag $state_pid $state_group" ;; more) report more ;; *) report vanished ;; esac
}

how=$2 from_out=$3 from_err=$4 limit=$5 blocks=$6 mark=$7 env=$8 via=$9
shift 9
tag=$1 max_ticks=$2 supervisor='' woken=''
shift 2
trap woken=1 USR1
if [ "$env" = env ]; then take_env || exit 255; fi
printf '%s' "$mark"
printf '%s' "$mark" >&2
if [ "$how" = start ]; then start "$@"; fi
[ -e "$work.state" ] || report vanished
follow
