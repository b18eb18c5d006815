# Ends all processes of a container that have a mark, or share a session with one that has it: some programs clear their
# environment, and the environment of another user cannot be read, but the process that started them still has the
# mark. Sends TERM, and KILL a second later. Runs in every sh that a container may have.
#
#   sh -c SCRIPT sh MARK
mark=$1

# contains FILE PATTERN: succeeds if a line matches. The shell drops the NULs between the words.
contains() {
  while IFS= read -r line || [ -n "$line" ]; do
    # shellcheck disable=SC2254 # a pattern
    case $line in $2) return 0 ;; esac
  done 2>/dev/null <"$1"
  return 1
}

# Sets session. It is empty for a process that has ended but was not reaped.
read_session() {
  line='' session=''
  { IFS= read -r line <"/proc/$1/stat"; } 2>/dev/null || return
  # shellcheck disable=SC2086 # split into fields
  set -- ${line##*) }
  case $1 in Z | X) ;; *) session=$4 ;; esac
}

find_processes() {
  sessions=' ' found=''
  for folder in /proc/[0-9]*; do
    pid=${folder#/proc/}
    [ "$pid" != $$ ] || continue
    contains "$folder/environ" "*SLIPWAY_MARK=$mark*" || contains "$folder/cmdline" "sh-c*slipway-$mark*" || continue
    read_session "$pid"
    [ -z "$session" ] || found="$found $pid"
    case $session in '' | 0 | 1) ;; *) sessions="$sessions$session " ;; esac
  done
  [ "$sessions" != ' ' ] || return
  for folder in /proc/[0-9]*; do
    pid=${folder#/proc/}
    read_session "$pid"
    [ -z "$session" ] || case $sessions in *" $session "*) found="$found $pid" ;; esac
  done
}

n=0
while find_processes; [ -n "$found" ] && [ "$n" -lt 40 ]; do
  # CONT follows, because a stopped process receives TERM only when it continues.
  # shellcheck disable=SC2086 # a list of numbers
  if [ "$n" -eq 0 ]; then kill -TERM $found; kill -CONT $found; fi 2>/dev/null
  # shellcheck disable=SC2086
  [ "$n" -lt 8 ] || kill -KILL $found 2>/dev/null
  n=$((n + 1))
  sleep 0.1 2>/dev/null || sleep 1
done
[ -z "$found" ]
