/*
 * Scripts that fetch and build a repository on a server: constant POSIX sh for dash, bash and busybox. Input
 * is passed only as arguments or variables. The exit code tells how it ended; see fetch-source.ts and
 * build-failure.ts.
 */

export const exitCodes = {
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
 * Kills the process group when a disk is almost full or the time is up, checked every second. Arguments:
 * seconds, folder, KiB that must stay free, Docker root to check as well.
 */
export const guardFunctions = `
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
      [ "$n" -lt "$1" ] || { echo ${exitCodes.late} >"$2.why"; kill -TERM 0; }
      for disk in "$2" "$4"; do
        [ -d "$disk" ] || continue
        df -Pk -- "$disk" | { read -r _; read -r _ _ _ free _; [ "\${free:-$3}" -ge "$3" ]; } ||
          { echo ${exitCodes.diskFull} >"$2.why"; kill -TERM 0; }
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

/** Longer than any build may take. */
export const lockTimeoutSeconds = 7 * 3_600

export const sourcesFolder = '/var/lib/slipway/sources'

export const lockVariable = `
lock=${sourcesFolder}/builds.lock
`

/** Waits for the lock on descriptor 9. Argument: seconds. */
export const lockFunctions = `${lockVariable}
take_turn() {
  exec 9>"$lock"
  hash flock 2>/dev/null || { echo 'Warning: flock is not installed on this server, so builds run at the same time.'; return; }
  ! flock -n 9 || return 0
  echo 'Waiting for another build on this server'
  deadline=$(($(date +%s) + $1))
  until flock -n 9; do
    [ -z "$why" ] || exit 143
    [ "$(date +%s)" -lt "$deadline" ] || exit ${exitCodes.noTurn}
    sleep 0.3 || sleep 1
  done
}
`
