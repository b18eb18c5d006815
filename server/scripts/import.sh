# Adds this server to Slipway: authorizes the SSH key and reports how to reach this server. Installs nothing itself.
# All code is in functions, so a partial download does nothing. With the word set-up as its argument, Slipway then sets up
# the server over SSH; without it, Slipway waits until a user starts the setup.

: "${slipway_url:?}" "${slipway_token:?}" "${slipway_key:?}" "${slipway_changes:?}"

refuse() {
  printf '\nThis server was not added to Slipway. %s\n' "$1" >&2
  exit 1
}
has() { command -v "$1" > /dev/null 2>&1; }

main() {
  set_up=false
  [ "${1:-}" != set-up ] || set_up=true
  PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
  export LC_ALL=C
  [ "$(uname -s)" = Linux ] || refuse "Slipway needs Linux, and this server runs $(uname -s)."
  [ "$(id -u)" = 0 ] || refuse 'Run this as root: put "sudo" before "sh" in the command.'
  has curl || wget --help 2>&1 | grep -q post-file || refuse 'Install curl or a newer wget first.'
  letter=
  trap '[ -z "$letter" ] || rm -f "$letter"' EXIT
  has curl || letter=$(umask 077 && mktemp) || refuse 'A temporary file could not be created. Free up space, then run the command again.'
  read_sshd
  choose_user
  announce
  authorize_key
  report
}

# Reads the configuration of sshd as lines of "name value".
read_sshd() {
  has sshd || refuse 'No SSH server is installed. Install openssh-server, start it, then run the command again.'
  settings=$(sshd -T 2> /dev/null) || settings=$(sed -n 's/^[[:space:]]*\([A-Za-z]*\)[[:space:]=]*/\1 /p' /etc/ssh/sshd_config | tr 'A-Z' 'a-z')
  port=$(setting port | tr -cd 0-9)
  port=${port:-22}
  [ "$(setting pubkeyauthentication)" != no ] && [ "$(setting authorizedkeysfile)" != none ] ||
    refuse 'The SSH server does not accept keys. Set "PubkeyAuthentication yes" in /etc/ssh/sshd_config, reload it, then run the command again.'
  listens "$port" || refuse "The SSH server is not running on port $port. Start it, then run the command again."
  host_keys=$(cat /etc/ssh/ssh_host_*_key.pub 2> /dev/null)
  [ -n "$host_keys" ] || refuse 'The SSH server has no host keys. Create them with "ssh-keygen -A", then run the command again.'
}
setting() { printf '%s\n' "$settings" | awk -v name="$1" '$1 == name { print $2; exit }'; }
listens() {
  cat /proc/net/tcp /proc/net/tcp6 2> /dev/null | awk -v port="$(printf ':%04X' "$1")" \
    '$4 == "0A" && substr($2, length($2) - 4) == port { found = 1 } END { exit !found }'
}

# Chooses root, or the user who ran sudo if sshd refuses root and sudo needs no password.
choose_user() {
  user=root
  case $(setting permitrootlogin) in
    no | forced-commands-only)
      user=${SUDO_USER:-}
      { [ -n "$user" ] && [ "$user" != root ] && has sudo && su "$user" -s /bin/sh -c 'sudo -n true' > /dev/null 2>&1; } ||
        refuse 'The SSH server does not allow root to log in. Set "PermitRootLogin prohibit-password" in /etc/ssh/sshd_config and reload it, or add the server in Slipway over SSH with a user who has passwordless sudo.'
      ;;
  esac
  home=$(awk -F : -v user="$user" '$1 == user { print $6 }' /etc/passwd)
  group=$(id -g "$user")
  [ -d "$home" ] || refuse "The user $user has no home folder."
}

# Prints all changes before anything changes.
announce() {
  printf 'Adding the Slipway SSH key for %s.\n' "$user"
  if [ "$set_up" = true ]; then
    printf 'The word "set-up" in the command starts the setup, which Slipway runs over SSH. It changes:\n\n%s\n\n' "$slipway_changes"
  else
    printf 'Nothing else changes until you start the setup in Slipway.\n\n'
  fi
}

# Adds the key only once, so that the script can be repeated.
authorize_key() {
  file=$(setting authorizedkeysfile | sed "s|%h|$home|g; s|%u|$user|g; s|%%|%|g")
  file=${file:-.ssh/authorized_keys}
  case $file in
    /*) folder=$(dirname "$file") ;;
    *)
      file=$home/$file
      folder=$(dirname "$file")
      (umask 077 && mkdir -p "$folder") && chown "$user:$group" "$folder" && chmod go-w "$folder"
      ;;
  esac
  added=
  grep -qsF "$slipway_key" "$file" || {
    added=yes
    { (umask 077 && mkdir -p "$folder" && append_key) && chown "$user:$group" "$file" && chmod 600 "$file"; } ||
      refuse "$file is not writable."
  }
  # With SELinux, sshd does not read a new file without the right label.
  ! has restorecon || restorecon -R "$folder" > /dev/null 2>&1
  echo "Added the Slipway SSH key for $user."
}
append_key() {
  # The file may not end with a newline.
  [ -z "$(tail -c 1 "$file" 2> /dev/null)" ] || echo >> "$file"
  printf '%s\n' "$slipway_key" >> "$file"
}
# Removes the key if this run added it. The file is overwritten and not replaced, to keep its owner and mode.
remove_key() {
  [ -n "$added" ] && cp -p "$file" "$file.slipway" || return 0
  # grep exits with 1 if the file has no other line.
  grep -vxF "$slipway_key" "$file.slipway" > "$file" || [ $? = 1 ] || cp "$file.slipway" "$file" || return 0
  rm "$file.slipway"
  echo "Removed the Slipway SSH key." >&2
}

report() {
  os=$(sed -n 's/^PRETTY_NAME=//p' /etc/os-release 2> /dev/null)
  body=$(printf '{"token":"%s","hostname":"%s","user":"%s","port":%s,"host_keys":[%s],"addresses":[%s],"os":"%s","architecture":"%s","set_up":%s}' \
    "$slipway_token" "$(plain "$(uname -n)")" "$(plain "$user")" "$port" \
    "$(printf '%s\n' "$host_keys" | awk '{ print $1 " " $2 }' | listed)" "$(addresses | listed)" \
    "$(plain "$os")" "$(plain "$(uname -m)")" "$set_up")
  answer=$(send) || unsent $?
  server=$(printf '%s' "$answer" | sed -n 's/.*"id":"\(srv_[a-z0-9]*\)".*/\1/p')
  [ -n "$server" ] || refused
  if [ "$set_up" = true ]; then next='Slipway is setting up the server'; else next='Start the setup of the server'; fi
  printf 'Server added. %s:\n\n  %s/dashboard/servers/%s\n\n' "$next" "$slipway_url" "$server"
}

# A response that is not from Slipway, such as a proxy timeout, leaves the result open. The key stays, because it may be
# needed.
refused() {
  why=$(printf '%s' "$answer" | sed -n 's/^{"error":"\(.*\)","code":.*/\1/p; s/^{"errors":{"\(.*\)"\]}}$/\1/p' |
    sed 's/":\["/: /g; s/"\],"/ /g; s/","/ /g; s/\\"/"/g')
  [ -n "$why" ] || refuse "Unexpected response from $slipway_url. Check whether this server was added in Slipway; otherwise run the command again."
  remove_key
  refuse "Slipway says: $why"
}
unsent() {
  case "$1 $answer" in
    *'server returned error: '*)
      said=${answer##*server returned error: }
      case $said in *' 4'[0-9][0-9]*) remove_key ;; esac
      refuse "Slipway responded with $said, and the wget of this server does not show why. Create a new command in Slipway; if that does not help, install curl to see the reason."
      ;;
    # These responses mean that Slipway was not reached: a DNS, connection or TLS failure.
    [567]' '* | 35' '* | 60' '* | *"can't connect"* | *'bad address'*) remove_key ;;
  esac
  refuse "Slipway could not be reached at $slipway_url. Check that this server can reach this URL, then run the command again."
}

# Removes every character that could end a JSON string.
plain() { printf '%s' "$1" | tr -cd 'A-Za-z0-9 ._:/@+=,()-' | cut -c 1-200; }
listed() {
  tr -cd 'A-Za-z0-9 ._:/@+=\n-' | awk 'NF && NR <= 10 { printf "%s\"%s\"", (n++ ? "," : ""), $0 }'
}
addresses() {
  if has ip; then
    ip -o addr show scope global | awk '{ sub("/.*", "", $4); print $4 }'
  else
    hostname -I 2> /dev/null | tr ' ' '\n'
  fi
}

# Sends the report through a pipe, or a file that only root can read, because command lines are visible to all users and
# the report contains the token.
send() {
  to=$slipway_url/v1/import/server type='content-type: application/json'
  if has curl; then
    printf '%s' "$body" | curl -sS --max-time 60 -H "$type" --data-binary @- "$to"
    return
  fi
  printf '%s' "$body" > "$letter"
  if wget --help 2>&1 | grep -q content-on-error; then
    # wget exits with 8 for an HTTP error response.
    wget -q -O - --content-on-error --header "$type" --post-file "$letter" "$to" || [ $? = 8 ]
  else
    # BusyBox wget prints only the error.
    wget -q -O - --header "$type" --post-file "$letter" "$to" 2>&1
  fi
}

main "$@"
