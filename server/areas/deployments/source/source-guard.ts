/*
 * What runs on a server to fetch a repository and to build it: constant POSIX sh for dash, bash and busybox. Nothing here
 * is built from input: all that varies comes as an argument, or as a variable where nobody else may read it. How it ended is
 * told by its code; see fetch-source.ts and why-not-built.ts.
 */

/** Exit codes that are ours. */
export const ended = {
  noGit: 60,
  notFetched: 61,
  diskFull: 62,
  late: 63,
  noLfs: 64,
  notCheckedOut: 65,
  noFolder: 66,
  leaves: 67,
  noDockerfile: 68,
  noRailpack: 69,
  outOfMemory: 70,
  noPlan: 71,
  metLimit: 72,
  noLimits: 73,
  noTurn: 74,
  otherSyntax: 75,
  stillBusy: 76,
} as const

/**
 * Ends everything in its group when a disk is nearly full or its time is over: both are looked at each second. Arguments:
 * seconds, a folder, KiB that have to stay free, and the folder of Docker's images where its disk is looked at as well.
 */
export const guarded = `
PATH=$PATH:/usr/local/bin:/usr/bin:/bin:/snap/bin
export PATH
exec 2>&1
why=
trap 'why=ended' TERM
guard() {
  [ ! -e "$2.why" ] || rm -f "$2.why"
  ( n=0 nap=
    trap '[ -z "$nap" ] || kill "$nap"; exit' TERM
    while sleep 1 & nap=$!; wait "$nap"; do
      n=$((n + 1))
      [ "$n" -lt "$1" ] || { echo ${ended.late} >"$2.why"; kill -TERM 0; }
      for disk in "$2" "$4"; do
        [ -d "$disk" ] || continue
        df -Pk -- "$disk" | { read -r _; read -r _ _ _ free _; [ "\${free:-$3}" -ge "$3" ]; } ||
          { echo ${ended.diskFull} >"$2.why"; kill -TERM 0; }
      done
    done ) </dev/null >/dev/null 2>&1 9>&- & guarding=$!
}
# Arguments: folder, code. Whatever ended it early has the last word.
leave() {
  kill "$guarding" 2>/dev/null
  code=$2
  [ ! -s "$1.why" ] || read -r code <"$1.why"
  [ ! -e "$1.why" ] || rm -f "$1.why"
  exit "$code"
}
`

/** Seconds for which a build may wait for others of the server: longer than any of them may take. */
export const turnSeconds = 7 * 3_600

/** Where the repositories of applications stay between their deployments, on a server. */
export const sourcesFolder = '/var/lib/slipway/sources'

/** Of all builds of a server. */
export const lock = `
lock=${sourcesFolder}/builds.lock
`

/** Waits for the lock, which is descriptor 9. Argument: seconds. */
export const inTurn = `${lock}
take_turn() {
  exec 9>"$lock"
  hash flock 2>/dev/null || { echo 'Warning: flock is not installed on this server, so builds run at the same time.'; return; }
  ! flock -n 9 || return 0
  echo 'Waiting for another build on this server'
  deadline=$(($(date +%s) + $1))
  until flock -n 9; do
    [ -z "$why" ] || exit 143
    [ "$(date +%s)" -lt "$deadline" ] || exit ${ended.noTurn}
    sleep 0.3 || sleep 1
  done
}
`
