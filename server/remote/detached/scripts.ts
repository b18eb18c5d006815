import { environmentFunctions } from '../environment.ts'

/*
 * What runs on a server for detached work: constant POSIX sh for dash, bash and busybox. Nothing here is built from
 * input: all that varies comes as an argument. A piece of work is some files in ~/.slipway/work, which is for its user alone:
 *   <id>.state    `running <tag> <watcher> <group> <sudo> <code>`, then `ended <code> <why> <cut>`
 *   <id>.out, .err   what it said, up to the cap; .cut when there was more
 *   <id>.cancel, .late   somebody, or the time limit, ended it
 * A program costs half a millisecond to start, so what the shell can do itself it does itself. It reads byte by byte, so it
 * reads little: not the long lines of /proc, but the name that our processes give themselves.
 */

const parts = String.raw`
base=$HOME/.slipway/work
work=$base/$1

# Sets now, and the words that stand behind it in the state.
look() {
  now=
  { read -r now a b c d e rest <"$work.state"; } 2>/dev/null
}

# Whether what the state names still runs: not after a new start of the machine, nor as another process of that number.
runs() {
  name=
  { read -r name <"/proc/$b/comm"; } 2>/dev/null
  [ "$name" = "$a" ]
}

# Signal, group, whether it belongs to root. Without “--”: busybox does not know it here.
hit() {
  case $2 in '' | 0 | 1 | *[!0-9]*) return 1 ;; esac
  if [ "$3" = sudo ]; then sudo -n sh -c 'kill "$1" "$2"' sh "-$1" "-$2"; else kill "-$1" "-$2"; fi 2>/dev/null
}

# Ends a group: asks, and two seconds later insists.
finish_off() {
  hit TERM "$1" "$2"
  n=0
  while [ "$n" -lt 20 ] && hit 0 "$1" "$2"; do
    n=$((n + 1))
    sleep 0.1 || sleep 1
  done
  hit KILL "$1" "$2"
}
`

const supervisor = String.raw`
# Copies what comes into a file up to the cap, and drops the rest: the program is neither stopped nor kept waiting.
spool() {
  trap '' XFSZ
  ulimit -f "$blocks"
  cat >>"$work.$1" && return
  : >"$work.cut"
  exec cat
}

# Becomes the program. A here-document is no argument, and needs no other program.
begin() {
  [ "$env" = plain ] || give_env
  [ -n "${'$'}{_slipway_v0+set}" ] || exec setsid "$@"
  exec setsid "$@" <<END_OF_INPUT
$_slipway_v0
END_OF_INPUT
}

# In the pipes: the program itself. Its group outlives the connection.
run() {
  ( begin "$@" ) </dev/null & pid=$!
  exec >/dev/null 2>&1
  echo "running $tag $watch $pid $via" 1<>"$work.state"
  wait "$pid"
  echo "running $tag $watch $pid $via $?" 1<>"$work.state"
  kill -HUP "$watch"
}

# Sleeps until a signal comes.
doze() {
  sleep "$1" & nap=$!
  [ -z "$over" ] || kill "$nap"
  wait "$nap"
  # Its number may soon be another's.
  nap=
}

# Wakes the follower that started it (twice, as a signal that comes too early is lost): a short program needs no ticker.
# Then keeps the time limit. What the program left behind may hold the pipes open: that is waited for two seconds only.
watch() {
  over= gone= nap=
  trap 'over=1; [ -z "$nap" ] || kill "$nap"' HUP
  trap 'over=1 gone=1; [ -z "$nap" ] || kill "$nap"' TERM
  # A signal that came before went unheard.
  look
  [ "$now" != ended ] || exit
  [ -z "$e" ] || over=1
  [ -n "$over" ] || doze 0.1
  [ -n "$over" ] || { kill -USR1 $$; doze 1; }
  [ -n "$over" ] || { kill -USR1 $$; doze $((limit - 1)); }
  if [ -z "$over" ]; then
    trap '' TERM HUP
    : >"$work.late"
    look
    finish_off "$c" "$via"
  fi
  for pause in 0.1 2; do
    [ -z "$gone" ] || exit
    over=$gone
    doze "$pause"
    [ -n "$gone" ] || kill -USR1 $$
  done
  [ -n "$gone" ] || { finish; kill -USR1 $$; }
}

# The last word, whoever comes to it first.
finish() {
  look
  [ "$now" = running ] || return
  why=ended cut=no
  [ ! -e "$work.late" ] || why=timed_out
  [ ! -e "$work.cancel" ] || why=cancelled
  [ ! -e "$work.cut" ] || cut=cut
  echo "ended ${'$'}{e:--} $why $cut" 1<>"$work.state"
}

supervise() {
  trap '' HUP TERM
  watch & watch=$!
  trap - HUP TERM
  { run "$@" 2>&1 1>&5 5>&- | spool err >/dev/null 5>&-; } 5>&1 | spool out >/dev/null
  finish
  kill "$watch"
}
`

const follower = String.raw`
say() { printf '%s%s\n' "$mark" "$1"; exit 0; }

# The shell only knows that it failed; a program says why.
cannot() {
  set +C
  said=$(cat /proc/self/stat 2>&1 >"$work.state")
  rm -f "$work".*
  say "failed $said"
}

start() {
  [ -d "$base" ] || said=$(mkdir -p -m 700 "$base" 2>&1) || say "failed $said"
  # Who makes the file starts the work; everybody else follows.
  set -C
  { true >"$work.state"; } 2>/dev/null || { [ -e "$work.state" ] || cannot; set +C; return; }
  set +C
  # Whatever it forks has the name, too, until it becomes another program.
  echo "$tag" >/proc/self/comm
  # Overwritten later, in the same block: a disk that is full by then does not matter.
  { echo "starting $tag $$" >"$work.state" && [ -s "$work.state" ] && : >"$work.out" && : >"$work.err"; } 2>/dev/null || cannot
  ( supervise "$@" ) </dev/null >/dev/null 2>&1 &
  supervisor=$!
}

# The files stay open and remember how far they were read.
emit() {
  [ ! -s "$work.out" ] || { $readout <&3; readout=cat; }
  [ ! -s "$work.err" ] || { $readerr <&4 >&2; readerr=cat; }
}

doubt() {
  look
  [ "$now" != ended ] && ! runs || return
  look
  [ "$now" = ended ] || now=vanished
}

tick() {
  ( while sleep 0.1 || sleep 1; do kill -USR1 $$ || exit; done ) </dev/null >/dev/null 2>&1 3<&- 4<&- & ticker=$!
}

follow() {
  n=0
  while [ ! -e "$work.err" ]; do
    n=$((n + 1))
    [ "$n" -lt 20 ] || say vanished
    sleep 0.1 || sleep 1
  done
  exec 3<"$work.out" 4<"$work.err"
  readout=cat readerr=cat ticks=0
  [ "$from_out" = 0 ] || readout="tail -c +$((from_out + 1))"
  [ "$from_err" = 0 ] || readerr="tail -c +$((from_err + 1))"
  ticker=
  [ -n "$supervisor" ] || tick
  while :; do
    look
    # The state is read byte by byte and may be overwritten meanwhile: only what is so twice is so.
    case $now in running | starting) runs || doubt ;; esac
    emit
    case $now in ended | vanished) break ;; esac
    ticks=$((ticks + 1))
    [ "$ticks" -lt "$turn" ] || [ "$now" = starting ] || { now=${'$'}{now:+more}; break; }
    [ -n "$woken" ] || wait "${'$'}{supervisor:-$ticker}"
    woken=
    # Only what goes on needs to be woken.
    look
    [ "$now" = ended ] || [ -n "$ticker" ] || tick
  done
  # bash would tell of it.
  exec 2>/dev/null
  [ -z "$ticker" ] || kill "$ticker"
  case $now in ended) say "ended $a $b $c" ;; more) say more ;; *) say vanished ;; esac
}
`

/** Arguments: id, start or follow, two offsets, limit, blocks, mark, env or plain, sudo or none, tag, turn; the command. */
export const runScript = `${environmentFunctions}${parts}${supervisor}${follower}
how=$2 from_out=$3 from_err=$4 limit=$5 blocks=$6 mark=$7 env=$8 via=$9
shift 9
tag=$1 turn=$2 supervisor= woken=
shift 2
trap woken=1 USR1
if [ "$env" = env ]; then take_env || exit 255; fi
printf '%s' "$mark"
printf '%s' "$mark" >&2
if [ "$how" = start ]; then start "$@"; fi
[ -e "$work.state" ] || say vanished
follow`

/** Waits while it is only just being started. */
const cancelling = `${parts}
n=0
while look; [ -e "$work.state" ] && [ "$now" != running ] && [ "$now" != ended ] && [ "$n" -lt 50 ]; do
  n=$((n + 1))
  sleep 0.1 || sleep 1
done
if [ "$now" = running ] && runs; then
  : >"$work.cancel"
  finish_off "$c" "$d"
fi`

export const cancelScript = `${cancelling}
exit 0`

/** What still runs is ended before: it would write into files that are gone. */
export const removeScript = `${cancelling}
n=0
while look; [ "$now" = running ] && runs && [ "$n" -lt 50 ]; do
  n=$((n + 1))
  sleep 0.1 || sleep 1
done
rm -f "$work".*`
