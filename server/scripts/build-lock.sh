# include build-lock-path.sh

# wait_for_lock SECONDS: takes the lock of all builds on this server, on descriptor 9.
wait_for_lock() {
  exec 9>"$lock"
  hash flock 2>/dev/null || { echo 'Warning: flock is not installed on this server, so builds run concurrently.'; return; }
  ! flock -n 9 || return 0
  echo 'Waiting for another build on this server'
  deadline=$(($(date +%s) + $1))
  until flock -n 9; do
    [ -z "$why" ] || exit 143
    [ "$(date +%s)" -lt "$deadline" ] || exit "$exit_no_turn"
    sleep 0.3 || sleep 1
  done
}
