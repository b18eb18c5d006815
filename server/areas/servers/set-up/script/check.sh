# Can this server be used at all?

check() {
  step check 'Looking at the server'
  echo "$(sed -n 's/^PRETTY_NAME=//p' /etc/os-release 2> /dev/null | tr -d '"'), kernel $(uname -r), $(uname -m)"
  check_kernel
  if docker_answers; then
    enough_space "$(docker info --format '{{.DockerRootDir}}' 2> /dev/null)" 500
  else
    enough_space /var/lib/docker 2000
  fi
  enough_memory
  [ "$http_port" != "$https_port" ] ||
    fail "HTTP and HTTPS cannot both use port $http_port. Choose two ports in the server's settings, then set up again."
  port_is_free "$http_port"
  port_is_free "$https_port"
}

check_kernel() {
  [ "$(uname -s)" = Linux ] || fail "This server runs $(uname -s). Slipway needs Linux."
  release=$(uname -r)
  major=${release%%.*}
  [ "$major" -ge 4 ] 2> /dev/null ||
    fail "Its kernel, $release, is too old for Docker. Upgrade the server to one with kernel 4 or newer, then set up again."
  case $(uname -m) in
    x86_64 | amd64 | aarch64 | arm64 | armv7l | armv8l | riscv64 | ppc64le | s390x) ;;
    *) fail "There is no Docker for this processor, $(uname -m). Use a server with an x86-64 or ARM processor." ;;
  esac
}

# enough_space FOLDER LEAST: so many MB are free where the folder is, or will be.
enough_space() {
  folder=${1:-/var/lib/docker}
  while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
  free=$(df -Pk "$folder" | awk 'NR == 2 { print int($4 / 1024) }')
  [ "$free" -ge "$2" ] ||
    fail "Only $free MB are free on the server's disk (at $folder), and $2 MB are needed. Free some space, then set up again."
  [ "$free" -ge 2000 ] || warn "only $free MB are free on the server's disk. Images need room."
}

enough_memory() {
  memory=$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)
  [ "$memory" -ge 450 ] || warn "the server has only $memory MB of memory. Builds may fail for want of it."
}

# Looked at again before it is called taken: a worker of the proxy that ends meanwhile has no name any more.
port_is_free() {
  tries=0
  until is_free_or_ours "$1"; do
    tries=$((tries + 1))
    [ "$tries" -lt 5 ] ||
      fail "Port $1 is taken by $taken_by. Stop it, or choose other ports in the server's settings; then set up again."
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
# Containers go on while Docker is down: the proxy is known by its arguments then.
outlived_docker() { ! docker_answers && grep -qsF "$proxy_folder/haproxy.cfg" "/proc/$1/cmdline"; }

# The kernel's own numbers of the sockets that listen on a port.
sockets_on() {
  cat /proc/net/tcp /proc/net/tcp6 2> /dev/null | awk -v port="$(printf ':%04X' "$1")" \
    '$4 == "0A" && substr($2, length($2) - 4) == port { printf "%s ", $10 }'
}
# The processes that hold them.
owners_of() {
  ls -l /proc/[0-9]*/fd 2> /dev/null | awk -v sockets="$(sockets_on "$1")" '
    BEGIN { n = split(sockets, list, " "); for (i = 1; i <= n; i++) wanted["socket:[" list[i] "]"] = 1 }
    /^\/proc\// { split($1, part, "/"); pid = part[3] }
    $NF in wanted { print pid }' | sort -u
}
# descends PID ANCESTOR: it is that process, or a child of it, or a child of such.
descends() {
  [ "$2" -gt 0 ] || return 1
  parent=$1
  while [ "${parent:-0}" -gt 1 ]; do
    [ "$parent" != "$2" ] || return 0
    parent=$(awk '/^PPid:/ { print $2 }' "/proc/$parent/status" 2> /dev/null)
  done
  return 1
}
