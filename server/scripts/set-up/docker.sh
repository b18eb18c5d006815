# Installs Docker if it is missing, and starts it if it is not running.

docker_answers() { has docker && docker version --format '{{.Server.Version}}' > /dev/null 2>&1; }

docker_is_there() {
  step docker 'Checking Docker'
  if has docker && docker --version 2> /dev/null | grep -qi podman; then
    fail 'The docker command on this server is Podman, which is not supported. Remove the package podman-docker, then set up again.'
  fi
  if ! docker_answers; then
    if ! has dockerd || ! has docker; then
      echo 'Installing Docker'
      install_docker
    fi
    docker_answers || start_docker
  fi
  echo "Docker $(docker version --format '{{.Server.Version}}')"
  docker_is_here
  let_user_in
}

# If Slipway runs in a container with the Docker socket of its host, the proxy would use other files and ports than this
# script prepares.
docker_is_here() {
  folder=$(docker info --format '{{.DockerRootDir}}' 2> /dev/null)
  [ -z "$folder" ] || [ -d "$folder" ] ||
    fail "Docker runs outside this system, which does not have the folder $folder. If Slipway runs in a container, import its machine over SSH instead."
}

install_docker() {
  read_lists
  case $package_manager in
    apt-get)
      if [ -n "$(first_of docker-ce)" ]; then
        add Docker ca-certificates docker-ce docker-ce-cli containerd.io || explain
      else
        # Docker starts no containers on a kernel with AppArmor enabled unless its parser is installed.
        armor=$(grep -qs Y /sys/module/apparmor/parameters/enabled && echo apparmor)
        # Newer releases package the client separately.
        # shellcheck disable=SC2046,SC2086 # each may be empty
        add Docker ca-certificates docker.io iptables $(first_of docker-cli) $armor || explain
      fi
      ;;
    apk)
      add Docker docker || {
        grep -qi 'no such package' "$kept" &&
          fail "Docker could not be installed: the Alpine community repository is not enabled. Enable it in /etc/apk/repositories, then set up again."
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
      # Newer releases package the client separately.
      has docker || add Docker docker-cli || explain
      ;;
  esac
}

# RHEL and its derivatives do not package Docker.
is_rhel() { grep -qsE '^ID(_LIKE)?=.*(rhel|centos)' /etc/os-release; }
add_docker_repository() {
  echo "This distribution does not package Docker: adding the Docker repository"
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
  warn 'Docker could not be started as a service. It was started directly and will not start again after a reboot.'
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
    # The daemon must not keep the output of this script open.
    quietly /etc/init.d/docker start
  else
    return 1
  fi
}
docker_is_down() {
  fail 'Docker is installed but does not start. See its output in the log above. Fix the problem on the server, then set up again.'
}

wait_for_docker() {
  tries=0
  until docker_answers; do
    tries=$((tries + 1))
    [ "$tries" -lt "$1" ] || return 1
    sleep 1
  done
}

# Gives the login user access to the Docker socket.
let_user_in() {
  [ "$login_user" != root ] || return 0
  has getent && getent group docker > /dev/null || grep -q '^docker:' /etc/group || {
    if has groupadd; then groupadd --system docker; else addgroup -S docker; fi
  }
  if ! id -nG "$login_user" | tr ' ' '\n' | grep -qx docker; then
    echo "Adding the user $login_user to the docker group"
    if has usermod; then usermod -aG docker "$login_user"; else addgroup "$login_user" docker; fi ||
      fail "The user $login_user could not be added to the docker group. Add it manually, then set up again."
  fi
  [ "$(stat -c %G "$docker_socket")" = docker ] || chgrp docker "$docker_socket"
}
