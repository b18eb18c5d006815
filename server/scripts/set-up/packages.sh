
manager() {
  for candidate in apt-get dnf yum apk; do
    has "$candidate" && echo "$candidate" && return
  done
  fail 'No supported package manager found. Setup can install packages on Debian, Ubuntu, Fedora, RHEL, Alpine and their derivatives. Install Docker and git manually, then set up again.'
}

# Exits without a supported package manager; only called when a package must be installed.
package_manager=
read_lists() {
  [ -z "$package_manager" ] || return 0
  package_manager=$(manager) || { echo "$package_manager"; exit 1; }
  : > "$kept.lists"
  tries=0
  case $package_manager in
    apt-get)
      # Cloud images run apt right after their first boot, so the lock may be taken.
      until keeping apt-get -q -o Acquire::Retries=1 update || ! grep -q 'Could not get lock' "$kept" || [ "$tries" -ge 60 ]; do
        tries=$((tries + 1))
        echo 'Another process holds the package manager lock. Waiting…'
        sleep 5
      done
      ;;
    apk) keeping apk update ;;
    *) : > "$kept" ;;
  esac
  cp "$kept" "$kept.lists"
}

# Succeeds if no package mirror responded.
is_offline() { [ "$package_manager" = apt-get ] && ! grep -qE '^(Hit|Get):' "$kept.lists"; }

# Prints the first of these packages that is available.
first_of() {
  for package; do
    case $package_manager in
      apt-get) apt-cache policy "$package" 2> /dev/null | grep -q 'Candidate: [^(]' ;;
      apk) [ -n "$(apk search -q -x "$package" 2> /dev/null)" ] ;;
      *) "$package_manager" -q list "$package" > /dev/null 2>&1 ;;
    esac && echo "$package" && return
  done
  return 1
}

# add NAME PACKAGE…: installs packages; NAME is used in messages.
add() {
  what=$1
  shift
  read_lists
  case $package_manager in
    apt-get)
      keeping env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a APT_LISTCHANGES_FRONTEND=none \
        apt-get -q -y --no-install-recommends -o Acquire::Retries=2 -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
        -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold install "$@"
      ;;
    apk) keeping apk add --no-progress "$@" ;;
    *) keeping "$package_manager" -y install "$@" ;;
  esac
}

# Fails with the reason why the last `add` failed.
explain() {
  said() { cat "$kept.lists" "$kept" | grep -qiE "$1"; }
  if said 'no space left|enough free space|more space needed|disk requirements'; then
    fail "$what could not be installed: the disk of the server is full. Free up space, then set up again."
  elif said 'could not resolve|temporary failure|name or service not known|name resolution|network is unreachable|could not connect|cannot connect|unable to connect|no route to host|timed out|connection refused|failed to fetch|cannot download|temporary error|network error|no more mirrors|all mirrors'; then
    fail "$what could not be installed: the server cannot reach its package mirrors. Check its network and DNS, then set up again."
  elif said 'could not get lock|unable to lock|holding the yum lock|database is locked|waiting for process'; then
    fail "$what could not be installed: another process has held the package manager lock for five minutes. Wait for it or stop it, then set up again."
  fi
  fail "$what could not be installed: $(last_line)."
}
