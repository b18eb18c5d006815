
check() {
  step check 'Checking the server'
  echo "$(sed -n 's/^PRETTY_NAME=//p' /etc/os-release 2> /dev/null | tr -d '"'), kernel $(uname -r), $(uname -m)"
  check_kernel
  if docker_answers; then
    enough_space "$(docker info --format '{{.DockerRootDir}}' 2> /dev/null)" 500
  else
    enough_space /var/lib/docker 2000
  fi
  enough_memory
  [ "$http_port" != "$https_port" ] ||
    fail "HTTP and HTTPS cannot both use port $http_port. Choose two different ports in the server settings, then set up again."
  port_is_free "$http_port"
  port_is_free "$https_port"
}

check_kernel() {
  [ "$(uname -s)" = Linux ] || fail "This server runs $(uname -s). Slipway needs Linux."
  release=$(uname -r)
  major=${release%%.*}
  [ "$major" -ge 4 ] 2> /dev/null ||
    fail "The kernel $release is too old for Docker. Upgrade the server to kernel 4 or newer, then set up again."
  case $(uname -m) in
    x86_64 | amd64 | aarch64 | arm64 | armv7l | armv8l | riscv64 | ppc64le | s390x) ;;
    *) fail "Docker does not support this processor, $(uname -m). Use a server with an x86-64 or ARM processor." ;;
  esac
}

# enough_space FOLDER MB: checks the free space of the disk that holds FOLDER, or will hold it.
enough_space() {
  folder=${1:-/var/lib/docker}
  while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
  free=$(df -Pk "$folder" | awk 'NR == 2 { print int($4 / 1024) }')
  [ "$free" -ge "$2" ] ||
    fail "Only $free MB is free on the disk of the server (at $folder), but $2 MB is required. Free up space, then set up again."
  [ "$free" -ge 2000 ] || warn "only $free MB is free on the disk of the server. Images need more space."
}

enough_memory() {
  memory=$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)
  [ "$memory" -ge 450 ] || warn "the server has only $memory MB of memory. Builds may run out of memory."
}

# Retries, because a proxy worker that is exiting has no name.
port_is_free() {
  tries=0
  until is_free_or_ours "$1"; do
    tries=$((tries + 1))
    [ "$tries" -lt 5 ] ||
      fail "Port $1 is in use by $taken_by. Stop it or choose other ports in the server settings, then set up again."
    sleep 0.2
  done
}

is_free_or_ours() {
  own=0
  if docker_answers; then
    container=$(docker ps --filter "publish=$1" --format '{{.Names}}' | head -n 1)
    if [ -n "$container" ]; then
      taken_by="the container $container"
      return 1
    fi
    own=$(docker inspect --format '{{.State.Pid}}' "$proxy" 2> /dev/null || echo 0)
  fi
  [ -n "$(sockets_on "$1")" ] || return 0
  taken_by='another program'
  owners=$(owners_of "$1")
  [ -n "$owners" ] || return 1
  for pid in $owners; do
    if ! descends "$pid" "$own" && ! outlived_docker "$pid"; then
      taken_by=$(tr -cd 'A-Za-z0-9._:/ -' < "/proc/$pid/comm" 2> /dev/null || echo 'another program')
      return 1
    fi
  done
}
# Containers keep running while Docker is down (live-restore), so the proxy is identified by its command line.
outlived_docker() { ! docker_answers && grep -qsF "$proxy_folder/haproxy.cfg" "/proc/$1/cmdline"; }

# Prints the inodes of the sockets that listen on a port.
sockets_on() {
  cat /proc/net/tcp /proc/net/tcp6 2> /dev/null | awk -v port="$(printf ':%04X' "$1")" \
    '$4 == "0A" && substr($2, length($2) - 4) == port { printf "%s ", $10 }'
}
# Prints the processes that own these sockets.
owners_of() {
  ls -l /proc/[0-9]*/fd 2> /dev/null | awk -v sockets="$(sockets_on "$1")" '
    BEGIN { n = split(sockets, list, " "); for (i = 1; i <= n; i++) wanted["socket:[" list[i] "]"] = 1 }
    /^\/proc\// { split($1, part, "/"); pid = part[3] }
    $NF in wanted { print pid }' | sort -u
}
# descends PID ANCESTOR: succeeds for the process itself and its descendants.
descends() {
  [ "$2" -gt 0 ] || return 1
  parent=$1
  while [ "${parent:-0}" -gt 1 ]; do
    [ "$parent" != "$2" ] || return 0
    parent=$(awk '/^PPid:/ { print $2 }' "/proc/$parent/status" 2> /dev/null)
  done
  return 1
}
