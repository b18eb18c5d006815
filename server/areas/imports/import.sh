# Adds this server to Slipway: lets its key log in, and tells it how this server is reached. Installs nothing.
# Everything stands in functions, so that half a download does nothing.

refuse() {
  printf '\nThis server was not added to Slipway. %s\n' "$1" >&2
  exit 1
}
has() { command -v "$1" > /dev/null 2>&1; }

main() {
  PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
  export LC_ALL=C
  [ "$(uname -s)" = Linux ] || refuse "It runs $(uname -s), and Slipway needs Linux."
  [ "$(id -u)" = 0 ] || refuse 'Run this as root: put "sudo" before the "sh" at the end of the line.'
  has curl || wget --help 2>&1 | grep -q post-file || refuse 'Install curl first, or a newer wget.'
  letter=
  trap '[ -z "$letter" ] || rm -f "$letter"' EXIT
  has curl || letter=$(umask 077 && mktemp) || refuse 'No temporary file could be created. Free some space, and run this again.'
  read_sshd
  choose_user
  authorise_key
  report
}

# What the SSH server is set to, as "name value" lines.
read_sshd() {
  has sshd || refuse 'It has no SSH server. Install openssh-server, start it, and run this again.'
  settings=$(sshd -T 2> /dev/null) || settings=$(sed -n 's/^[[:space:]]*\([A-Za-z]*\)[[:space:]=]*/\1 /p' /etc/ssh/sshd_config | tr 'A-Z' 'a-z')
  port=$(setting port | tr -cd 0-9)
  port=${port:-22}
  [ "$(setting pubkeyauthentication)" != no ] && [ "$(setting authorizedkeysfile)" != none ] ||
    refuse 'Its SSH server takes no keys. Set "PubkeyAuthentication yes" in /etc/ssh/sshd_config, reload it, and run this again.'
  listens "$port" || refuse "Its SSH server does not run, or not on port $port. Start it, and run this again."
  host_keys=$(cat /etc/ssh/ssh_host_*_key.pub 2> /dev/null)
  [ -n "$host_keys" ] || refuse 'Its SSH server has no host keys. Make them with "ssh-keygen -A", and run this again.'
}
setting() { printf '%s\n' "$settings" | awk -v name="$1" '$1 == name { print $2; exit }'; }
listens() {
  cat /proc/net/tcp /proc/net/tcp6 2> /dev/null | awk -v port="$(printf ':%04X' "$1")" \
    '$4 == "0A" && substr($2, length($2) - 4) == port { found = 1 } END { exit !found }'
}

# Root, unless the SSH server keeps root out; then whoever ran sudo, if they need no password for it.
choose_user() {
  user=root
  case $(setting permitrootlogin) in
    no | forced-commands-only)
      user=${SUDO_USER:-}
      { [ -n "$user" ] && [ "$user" != root ] && has sudo && su "$user" -s /bin/sh -c 'sudo -n true' > /dev/null 2>&1; } ||
        refuse 'Its SSH server does not let root log in. Set "PermitRootLogin prohibit-password" in /etc/ssh/sshd_config and reload it; or add the server in Slipway by its address, with a user who can become root without a password.'
      ;;
  esac
  home=$(awk -F : -v user="$user" '$1 == user { print $6 }' /etc/passwd)
  group=$(id -g "$user")
  [ -d "$home" ] || refuse "The user $user has no home folder."
}

# Once, however often this runs.
authorise_key() {
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
      refuse "$file could not be written to."
  }
  # Where SELinux is on, a new file is not read before it has the right label.
  ! has restorecon || restorecon -R "$folder" > /dev/null 2>&1
  echo "Slipway's key may log in as $user."
}
append_key() {
  # The last line of a file need not be ended.
  [ -z "$(tail -c 1 "$file" 2> /dev/null)" ] || echo >> "$file"
  printf '%s\n' "$slipway_key" >> "$file"
}
# Out again, if it was this run that let it in. Written in place: the file keeps its owner and its mode.
take_key_back() {
  [ -n "$added" ] && cp -p "$file" "$file.slipway" || return 0
  # 1 says that nothing else stood there.
  grep -vxF "$slipway_key" "$file.slipway" > "$file" || [ $? = 1 ] || cp "$file.slipway" "$file" || return 0
  rm "$file.slipway"
  echo "Slipway's key was taken out again." >&2
}

report() {
  os=$(sed -n 's/^PRETTY_NAME=//p' /etc/os-release 2> /dev/null)
  body=$(printf '{"token":"%s","hostname":"%s","user":"%s","port":%s,"host_keys":[%s],"addresses":[%s],"os":"%s","architecture":"%s"}' \
    "$slipway_token" "$(plain "$(uname -n)")" "$(plain "$user")" "$port" \
    "$(printf '%s\n' "$host_keys" | awk '{ print $1 " " $2 }' | listed)" "$(addresses | listed)" \
    "$(plain "$os")" "$(plain "$(uname -m)")")
  answer=$(send) || unsent $?
  server=$(printf '%s' "$answer" | sed -n 's/.*"id":"\(srv_[a-z0-9]*\)".*/\1/p')
  [ -n "$server" ] || refused
  printf 'This server is in Slipway now, which goes on to set it up. Watch it there:\n\n  %s/dashboard/servers/%s\n\n' "$slipway_url" "$server"
}

# An answer that is not Slipway's own, such as that of a proxy which lost patience, does not tell what Slipway did: then the
# key stays, for it may be needed.
refused() {
  why=$(printf '%s' "$answer" | sed -n 's/^{"error":"\(.*\)","code":.*/\1/p; s/^{"errors":{"\(.*\)"\]}}$/\1/p' |
    sed 's/":\["/: /g; s/"\],"/ /g; s/","/ /g; s/\\"/"/g')
  [ -n "$why" ] || refuse "What answers at $slipway_url is not Slipway. Look whether this server is in Slipway by now; else run this again."
  take_key_back
  refuse "Slipway says: $why"
}
unsent() {
  case "$1 $answer" in
    *'server returned error: '*)
      said=${answer##*server returned error: }
      case $said in *' 4'[0-9][0-9]*) take_key_back ;; esac
      refuse "Slipway answers with $said, and the wget of this server does not show why. Make a new line in Slipway; if that does not help, install curl, which does."
      ;;
    # Nobody was there: curl found no address or no connection, or did not trust who answered.
    [567]' '* | 35' '* | 60' '* | *"can't connect"* | *'bad address'*) take_key_back ;;
  esac
  refuse "Slipway could not be reached at $slipway_url. Check that this server reaches it, and run this again."
}

# Nothing that could end a JSON string is let through.
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

# The token goes in by a pipe, or a file that only root can read: the list of processes is open to everybody.
send() {
  to=$slipway_url/v1/import/server type='content-type: application/json'
  if has curl; then
    printf '%s' "$body" | curl -sS --max-time 60 -H "$type" --data-binary @- "$to"
    return
  fi
  printf '%s' "$body" > "$letter"
  if wget --help 2>&1 | grep -q content-on-error; then
    # 8 says that there is an answer, and that it is no success.
    wget -q -O - --content-on-error --header "$type" --post-file "$letter" "$to" || [ $? = 8 ]
  else
    # BusyBox's says what went wrong, and nothing else.
    wget -q -O - --header "$type" --post-file "$letter" "$to" 2>&1
  fi
}

main
