#!/bin/sh
# Sets up a server for Slipway: Docker, compose, git and the proxy. Runs as root, in any POSIX shell, as often as one likes:
# what is there and works is left alone. Nothing else on the server is changed.
#
#   sh set-up.sh HTTP_PORT HTTPS_PORT PROXY_IMAGE LOGIN_USER DOCKER_SOCKET PROXY_CONFIG
#
# Slipway reads two kinds of lines: "==> step: …" begins a step, and "!! …" says why it ends here.
set -u
exec 2>&1 < /dev/null
umask 022
http_port=$1 https_port=$2 proxy_image=$3 login_user=$4 docker_socket=$5 proxy_config=$6
export LC_ALL=C DOCKER_HOST="unix://$docker_socket"
export PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/snap/bin"

proxy=slipway-proxy
proxy_folder=/var/lib/slipway/proxy
kept=$(mktemp) || { echo '!! The server has no room for a temporary file. Free some space, then set up again.'; exit 1; }
trap 'rm -f "$kept" "$kept.code" "$kept.lists"' EXIT

main() {
  check
  docker_is_there
  compose_is_there
  git_is_there
  proxy_runs
}

step() { printf '==> %s: %s\n' "$1" "$2"; }
warn() { printf 'Warning: %s\n' "$1"; }
fail() {
  printf '!! %s\n' "$1"
  exit 1
}
has() { command -v "$1" > /dev/null 2>&1; }
# Runs a program, shows what it says, and keeps it in the file $kept.
keeping() {
  {
    "$@"
    echo $? > "$kept.code"
  } 2>&1 | tee "$kept"
  code=$(cat "$kept.code")
  return "${code:-1}"
}
# The same without showing it, unless it fails.
quietly() {
  "$@" > "$kept" 2>&1 || {
    code=$?
    cat "$kept"
    return "$code"
  }
}
last_words() { grep -v '^[[:space:]]*$' "$kept" | tail -n 1 | cut -c 1-300 | sed 's/^Error response from daemon: //; s/[[:space:].]*$//'; }

# --- Can this server be used at all?

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

port_is_free() {
  if docker_answers; then
    container=$(docker ps --filter "publish=$1" --format '{{.Names}}' | head -n 1)
    [ -z "$container" ] || port_is_taken "$1" "the container $container"
    own=$(docker inspect --format '{{.State.Pid}}' "$proxy" 2> /dev/null || echo 0)
  else
    own=0
  fi
  [ -n "$(sockets_on "$1")" ] || return 0
  owners=$(owners_of "$1")
  [ -n "$owners" ] || port_is_taken "$1" 'another program'
  for pid in $owners; do
    descends "$pid" "$own" || port_is_taken "$1" "$(tr -cd 'A-Za-z0-9._:/ -' < "/proc/$pid/comm" 2> /dev/null || echo 'another program')"
  done
}
port_is_taken() {
  fail "Port $1 is taken by $2. Stop it, or choose other ports in the server's settings; then set up again."
}

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

# --- Packages

manager() {
  for candidate in apt-get dnf yum apk; do
    has "$candidate" && echo "$candidate" && return
  done
  fail 'Slipway can install programs on Debian, Ubuntu, Fedora, RHEL and Alpine, and on those that are made of them. Install Docker and git here by hand, then set up again.'
}

# Exits when there is no such package manager: only what has to be installed needs one.
package_manager=
read_lists() {
  [ -z "$package_manager" ] || return 0
  package_manager=$(manager) || { echo "$package_manager"; exit 1; }
  : > "$kept.lists"
  tries=0
  case $package_manager in
    apt-get)
      # Cloud images update themselves right after their first boot.
      until keeping apt-get -q -o Acquire::Retries=1 update || ! grep -q 'Could not get lock' "$kept" || [ "$tries" -ge 60 ]; do
        tries=$((tries + 1))
        echo 'Another program is busy with packages. Waiting for it.'
        sleep 5
      done
      ;;
    apk) keeping apk update ;;
    *) : > "$kept" ;;
  esac
  cp "$kept" "$kept.lists"
}

# Whether not one of its package mirrors answered.
is_offline() { [ "$package_manager" = apt-get ] && ! grep -qE '^(Hit|Get):' "$kept.lists"; }

# The first of these packages that the lists have.
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

# add NAME PACKAGE…: NAME is what people know it by.
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

# Why the last `add` failed, in plain words.
explain() {
  said() { cat "$kept.lists" "$kept" | grep -qiE "$1"; }
  if said 'no space left|enough free space|more space needed|disk requirements'; then
    fail "$what could not be installed: the server's disk is full. Free some space, then set up again."
  elif said 'could not resolve|temporary failure|name or service not known|name resolution|network is unreachable|could not connect|cannot connect|unable to connect|no route to host|timed out|connection refused|failed to fetch|cannot download|temporary error|network error|no more mirrors|all mirrors'; then
    fail "$what could not be installed: the server does not reach its package mirrors. Check its network and its DNS, then set up again."
  elif said 'could not get lock|unable to lock|holding the yum lock|database is locked|waiting for process'; then
    fail "$what could not be installed: another program has been busy with packages for five minutes. Wait for it, or end it; then set up again."
  fi
  fail "$what could not be installed. The package manager says: $(last_words)."
}

# --- Docker

docker_answers() { has docker && docker version --format '{{.Server.Version}}' > /dev/null 2>&1; }

docker_is_there() {
  step docker 'Looking for Docker'
  if has docker && docker --version 2> /dev/null | grep -qi podman; then
    fail 'On this server the command docker is Podman, which Slipway cannot use. Remove the package podman-docker, then set up again.'
  fi
  if ! docker_answers; then
    if ! has dockerd || ! has docker; then
      echo 'Installing it from packages'
      install_docker
    fi
    docker_answers || start_docker
  fi
  echo "Docker $(docker version --format '{{.Server.Version}}')"
  let_user_in
}

install_docker() {
  read_lists
  case $package_manager in
    apt-get)
      if [ -n "$(first_of docker-ce)" ]; then
        add Docker ca-certificates docker-ce docker-ce-cli containerd.io || explain
      else
        # Without its parser, Docker starts nothing on a kernel that has AppArmor on.
        armor=$(grep -qs Y /sys/module/apparmor/parameters/enabled && echo apparmor)
        # The client is a package of its own in newer releases.
        # shellcheck disable=SC2086 # each may be empty
        add Docker ca-certificates docker.io iptables $(first_of docker-cli) $armor || explain
      fi
      ;;
    apk)
      add Docker docker || {
        grep -qi 'no such package' "$kept" &&
          fail "Docker could not be installed: it is in Alpine's community repository, which is not enabled. Enable it in /etc/apk/repositories, then set up again."
        explain
      }
      ;;
    *)
      found=$(first_of docker-ce moby-engine docker) || found=
      if [ -z "$found" ] && is_rhel; then
        add_docker_repository
        found=docker-ce
      fi
      add Docker "${found:-moby-engine}" || explain
      # Newer ones have the client apart.
      has docker || add Docker docker-cli || explain
      ;;
  esac
}

# RHEL and its kin have no Docker among their own packages.
is_rhel() { grep -qsE '^ID(_LIKE)?=.*(rhel|centos)' /etc/os-release; }
add_docker_repository() {
  echo "This distribution has no package of Docker, so Docker's own repository is added"
  cat > /etc/yum.repos.d/docker-ce.repo << 'END'
[docker-ce-stable]
name=Docker CE Stable - $basearch
baseurl=https://download.docker.com/linux/centos/$releasever/$basearch/stable
enabled=1
gpgcheck=1
gpgkey=https://download.docker.com/linux/centos/gpg
END
}

start_docker() {
  echo 'Starting Docker'
  if [ -d /run/systemd/system ]; then
    systemctl enable --now docker
    wait_for_docker 60 || {
      journalctl --no-pager --unit docker --lines 20 2> /dev/null
      docker_is_down
    }
    return
  fi
  start_as_service && wait_for_docker 30 && return
  warn 'Docker could not be started as a service. Started by hand, it will be gone after a restart of the server.'
  setsid dockerd --host "unix://$docker_socket" > /var/log/dockerd.log 2>&1 &
  wait_for_docker 60 || {
    tail -n 20 /var/log/dockerd.log
    docker_is_down
  }
}
start_as_service() {
  if has rc-service; then
    rc-update add docker default > /dev/null
    rc-service docker start
  elif [ -x /etc/init.d/docker ]; then
    ! has update-rc.d || update-rc.d docker defaults > /dev/null 2>&1
    # What it starts must not hold our output open.
    quietly /etc/init.d/docker start
  else
    return 1
  fi
}
docker_is_down() {
  fail 'Docker is installed but does not start. What it says stands in the log above. Solve that on the server, then set up again.'
}

wait_for_docker() {
  tries=0
  until docker_answers; do
    tries=$((tries + 1))
    [ "$tries" -lt "$1" ] || return 1
    sleep 1
  done
}

# Whoever we log in as has to be let at Docker's socket.
let_user_in() {
  [ "$login_user" != root ] || return 0
  has getent && getent group docker > /dev/null || grep -q '^docker:' /etc/group || {
    if has groupadd; then groupadd --system docker; else addgroup -S docker; fi
  }
  if ! id -nG "$login_user" | tr ' ' '\n' | grep -qx docker; then
    echo "Adding the user $login_user to the group docker"
    if has usermod; then usermod -aG docker "$login_user"; else addgroup "$login_user" docker; fi ||
      fail "The user $login_user could not be added to the group docker. Add it by hand, then set up again."
  fi
  [ "$(stat -c %G "$docker_socket")" = docker ] || chgrp docker "$docker_socket"
}

# --- Compose and git

compose_version() { docker compose version --short 2> /dev/null; }

compose_is_there() {
  step compose 'Looking for compose'
  if ! compose_version > /dev/null; then
    has docker-compose || install_compose
  fi
  if version=$(compose_version); then
    echo "Compose $version"
  elif has docker-compose; then
    warn "there is only $(docker-compose version --short 2> /dev/null | head -n 1) of docker-compose here. Compose applications need version 2 or newer."
  else
    warn 'compose applications will not work here until Docker Compose is installed. Everything else does.'
  fi
}

install_compose() {
  # A server that has no package manager we know of does without.
  (manager > /dev/null) || return 0
  read_lists
  ! is_offline || return 0
  found=$(first_of docker-compose-plugin docker-compose-v2 docker-cli-compose docker-compose) || return 0
  add 'Docker Compose' "$found" || warn "Docker Compose could not be installed: $(last_words)."
}

git_is_there() {
  step git 'Looking for git'
  has git || add git git ca-certificates || explain
  git --version
}

# --- The proxy

proxy_runs() {
  step proxy 'Looking for the proxy'
  if ! docker image inspect "$proxy_image" > /dev/null 2>&1; then
    keeping docker pull "$proxy_image" ||
      fail "The proxy's image, $proxy_image, could not be pulled. Docker says: $(last_words). Check the server's network, or have Slipway's operator set PROXY_IMAGE to an image that it reaches."
  fi
  write_proxy_files
  start_proxy
  for port in "$http_port" "$https_port"; do
    wait_for_proxy_on "$port" || {
      docker logs --tail 20 "$proxy"
      fail "The proxy does not listen on port $port. What it says stands in the log above."
    }
  done
  answer=$(ask_proxy)
  [ "$answer" != 000 ] || fail "The proxy listens on port $http_port but does not answer. Look at: docker logs $proxy"
  echo "The proxy listens on ports $http_port and $https_port"
}

# Nothing is taken over that the proxy itself would refuse.
write_proxy_files() {
  mkdir -p "$proxy_folder" && chmod 700 "$proxy_folder" && touch "$proxy_folder/certificates.txt" &&
    printf '%s' "$proxy_config" > "$proxy_folder/haproxy.cfg.new" ||
    fail "$proxy_folder could not be written to. Check the server's disk, then set up again."
  proxy_changed=
  if cmp -s "$proxy_folder/haproxy.cfg.new" "$proxy_folder/haproxy.cfg"; then
    rm "$proxy_folder/haproxy.cfg.new"
    return
  fi
  quietly docker run --rm --network none --user 0:0 --volume "$proxy_folder:$proxy_folder:z" --entrypoint haproxy \
    "$proxy_image" -c -f "$proxy_folder/haproxy.cfg.new" ||
    fail "The proxy does not take its configuration; what it says stands in the log above. Is $proxy_image an image of HAProxy 2.6 or newer?"
  mv "$proxy_folder/haproxy.cfg.new" "$proxy_folder/haproxy.cfg"
  proxy_changed=yes
}

# One that runs the wanted image is told to read its configuration again, without dropping a request.
start_proxy() {
  wanted="$(docker image inspect --format '{{.Id}}' "$proxy_image") 1"
  running=$(docker inspect --format '{{.State.Running}} {{index .Config.Labels "slipway.proxy"}}' "$proxy" 2> /dev/null)
  if [ "$running" = "true $wanted" ]; then
    [ -z "$proxy_changed" ] || docker kill --signal USR2 "$proxy" > /dev/null
    return
  fi
  docker rm --force "$proxy" > /dev/null 2>&1
  echo "Starting the proxy from $proxy_image"
  # As root, because on the network of the server itself nobody else may listen on its ports; HAProxy then lowers itself.
  quietly docker run --detach --name "$proxy" --label "slipway.proxy=$wanted" --restart always --network host --user 0:0 \
    --log-driver json-file --log-opt max-size=10m --log-opt max-file=3 \
    --volume "$proxy_folder:$proxy_folder:z" --entrypoint haproxy \
    "$proxy_image" -W -db -S "$proxy_folder/master.sock,mode,600" -f "$proxy_folder/haproxy.cfg" ||
    fail "The proxy could not be started. Docker says: $(last_words)."
}

wait_for_proxy_on() {
  tries=0
  while [ "$tries" -lt 75 ]; do
    own=$(docker inspect --format '{{.State.Pid}}' "$proxy" 2> /dev/null || echo 0)
    for pid in $(owners_of "$1"); do descends "$pid" "$own" && return 0; done
    tries=$((tries + 1))
    sleep 0.2
  done
  return 1
}

# The status of its answer, 000 for none; nothing where no program could ask.
ask_proxy() {
  if has curl; then curl --silent --noproxy '*' --max-time 10 --output /dev/null --write-out '%{http_code}' "http://127.0.0.1:$http_port/"; fi
}

main
