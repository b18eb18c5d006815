# spool out|err: copies output to a file up to the limit and drops the rest, so that the program is never blocked.
spool() {
  trap '' XFSZ
  ulimit -f "$blocks"
  cat >>"$work.$1" && return
  : >"$work.cut"
  exec cat
}

# Executes the program in this process. A here-document passes the input without an argument or another program.
exec_program() {
  [ "$env" = plain ] || give_env
  [ -n "${_slipway_v0+set}" ] || exec setsid "$@"
  exec setsid "$@" <<END_OF_INPUT
$_slipway_v0
END_OF_INPUT
}

# Runs the program with its output in the pipes. The process group of the program outlives the connection.
run_program() {
  ( exec_program "$@" ) </dev/null & pid=$!
  exec >/dev/null 2>&1
  echo "running $tag $watcher $pid $via" 1<>"$work.state"
  wait "$pid"
  echo "running $tag $watcher $pid $via $?" 1<>"$work.state"
  kill -HUP "$watcher"
}

# Sleeps until a signal arrives.
doze() {
  sleep "$1" & nap=$!
  [ -z "$over" ] || kill "$nap"
  wait "$nap"
  # Another process may soon have this process ID.
  nap=
}

# Wakes the follower that started the program, so that a short program needs no ticker. The signal is sent twice,
# because one that arrives too early is lost. Then enforces the time limit. Processes that the program left behind may
# hold the pipes open, so the wait for them ends after two seconds.
watch_program() {
  over='' gone='' nap=''
  trap 'over=1; [ -z "$nap" ] || kill "$nap"' HUP
  trap 'over=1 gone=1; [ -z "$nap" ] || kill "$nap"' TERM
  # A signal before these traps was ignored, so the state is read again.
  read_state
  [ "$state" != ended ] || exit
  [ -z "$state_code" ] || over=1
  [ -n "$over" ] || doze 0.1
  [ -n "$over" ] || { kill -USR1 $$; doze 1; }
  [ -n "$over" ] || { kill -USR1 $$; doze $((limit - 1)); }
  if [ -z "$over" ]; then
    trap '' TERM HUP
    : >"$work.late"
    read_state
    stop_group "$state_group" "$via"
  fi
  for pause in 0.1 2; do
    [ -z "$gone" ] || exit
    over=$gone
    doze "$pause"
    [ -n "$gone" ] || kill -USR1 $$
  done
  [ -n "$gone" ] || { write_result; kill -USR1 $$; }
}

# Writes the result unless another process has written it.
write_result() {
  read_state
  [ "$state" = running ] || return
  reason=ended cut=no
  [ ! -e "$work.late" ] || reason=timed_out
  [ ! -e "$work.cancel" ] || reason=cancelled
  [ ! -e "$work.cut" ] || cut='cut'
  echo "ended ${state_code:--} $reason $cut" 1<>"$work.state"
}

supervise() {
  trap '' HUP TERM
  watch_program & watcher=$!
  trap - HUP TERM
  { run_program "$@" 2>&1 1>&5 5>&- | spool err >/dev/null 5>&-; } 5>&1 | spool out >/dev/null
  write_result
  kill "$watcher"
}
