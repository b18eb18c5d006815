# Functions that end a fetch or build when a disk is almost full or the time is up.

PATH=$PATH:/usr/local/bin:/usr/bin:/bin:/snap/bin
export PATH
exec 2>&1
why=
trap 'why=ended' TERM

# guard SECONDS FOLDER MIN_FREE_KIB DOCKER_ROOT: checks every second, and kills the process group.
guard() {
  [ ! -e "$2.why" ] || rm -f "$2.why"
  (
    n=0 nap=
    trap '[ -z "$nap" ] || kill "$nap"; exit' TERM
    while sleep 1 & nap=$!; wait "$nap"; do
      n=$((n + 1))
      [ "$n" -lt "$1" ] || { echo "$exit_late" >"$2.why"; kill -TERM 0; }
      for disk in "$2" "$4"; do
        [ -d "$disk" ] || continue
        df -Pk -- "$disk" | { read -r _; read -r _ _ _ free _; [ "${free:-$3}" -ge "$3" ]; } ||
          { echo "$exit_disk_full" >"$2.why"; kill -TERM 0; }
      done
    done
  ) </dev/null >/dev/null 2>&1 9>&- & guarding=$!
}

# leave FOLDER CODE: exits with the code of the guard if the guard ended the script, otherwise with CODE.
leave() {
  kill "$guarding" 2>/dev/null
  code=$2
  [ ! -s "$1.why" ] || read -r code <"$1.why"
  [ ! -e "$1.why" ] || rm -f "$1.why"
  exit "$code"
}
