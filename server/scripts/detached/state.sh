# State of a detached process: files in ~/.slipway/work, which only its user can read.
#   <id>.state         `running <tag> <watcher> <group> <sudo> <code>`, then `ended <code> <reason> <truncated>`
#   <id>.out, .err     its output, up to the limit; .cut exists when there was more
#   <id>.cancel, .late exist when it was canceled or timed out
# Starting a program takes half a millisecond, so the shell does as much as it can by itself. A shell reads byte by byte,
# so it only reads short files: /proc/<pid>/comm, where our processes set a name, and no file of /proc with long lines.
base=$HOME/.slipway/work
work=$base/$1

# Sets state and its fields. The first three fields of an ended process are its code, reason and truncation.
read_state() {
  state=
  # shellcheck disable=SC2034 # no script uses all of them
  { read -r state state_tag state_pid state_group state_sudo state_code _ <"$work.state"; } 2>/dev/null
}

# Succeeds while the process of the state is running. The tag distinguishes it from another process with the same ID.
is_alive() {
  name=
  { read -r name <"/proc/$state_pid/comm"; } 2>/dev/null
  [ "$name" = "$state_tag" ]
}

# send_signal SIGNAL GROUP sudo|none: kill gets no "--", because that of busybox does not accept it here.
send_signal() {
  case $2 in '' | 0 | 1 | *[!0-9]*) return 1 ;; esac
  # shellcheck disable=SC2016 # expanded by the other shell
  if [ "$3" = sudo ]; then sudo -n sh -c 'kill "$1" "$2"' sh "-$1" "-$2"; else kill "-$1" "-$2"; fi 2>/dev/null
}

# stop_group GROUP sudo|none: sends TERM, and KILL two seconds later.
stop_group() {
  send_signal TERM "$1" "$2"
  n=0
  while [ "$n" -lt 20 ] && send_signal 0 "$1" "$2"; do
    n=$((n + 1))
    sleep 0.1 || sleep 1
  done
  send_signal KILL "$1" "$2"
}
