
compose_version() { docker compose version --short 2> /dev/null; }

least_compose=2.20

compose_is_there() {
  step compose 'Checking Docker Compose'
  compose_is_fit || install_compose
  if compose_is_fit; then
    echo "Compose $version"
  elif [ -n "$version" ]; then
    warn "compose applications need Docker Compose $least_compose or newer, and this server has $version. Other applications work."
  else
    warn "compose applications need Docker Compose $least_compose or newer, which is not installed. Other applications work."
  fi
}

# docker-compose version 1 is a separate program with another file format.
compose_is_fit() {
  version=$(compose_version | sed 's/^v//')
  major=${version%%.*} minor=${version#*.}
  minor=${minor%%[!0-9]*}
  [ "${major:-0}" -gt "${least_compose%.*}" ] 2> /dev/null ||
    { [ "${major:-0}" -eq "${least_compose%.*}" ] && [ "${minor:-0}" -ge "${least_compose#*.}" ]; } 2> /dev/null
}

install_compose() {
  # Compose is optional: skip it without a supported package manager.
  (manager > /dev/null) || return 0
  read_lists
  ! is_offline || return 0
  found=$(first_of docker-compose-plugin docker-compose-v2 docker-cli-compose) || found=
  # The package docker-compose is skipped if it contains version 1.
  [ -n "$found" ] || ! is_new docker-compose || found=$(first_of docker-compose) || found=
  if [ -z "$found" ] && [ "$package_manager" = apt-get ] && add_apt_repository; then found=docker-compose-plugin; fi
  [ -z "$found" ] || add 'Docker Compose' "$found" || warn "Docker Compose could not be installed: $(last_line)."
}

# Checks that a package is not version 1, which only Debian releases from before Compose 2 have.
is_new() { [ "$package_manager" != apt-get ] || apt-cache policy "$1" 2> /dev/null | grep -qE 'Candidate: ([0-9]+:)?([2-9]|[1-9][0-9])\.'; }

# Adds the Docker repository, because Debian 12 does not package Compose 2. The pins let the repository provide only
# Compose.
add_apt_repository() {
  system=$(. /etc/os-release && echo "$ID") release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  case $system in debian | ubuntu) has curl ;; *) return 1 ;; esac || return 1
  echo "This distribution does not package Docker Compose $least_compose: trying the Docker repository"
  from=https://download.docker.com/linux/$system
  key=/etc/apt/keyrings/slipway-docker.asc list=/etc/apt/sources.list.d/slipway-docker.list
  pins=/etc/apt/preferences.d/slipway-docker
  mkdir -p /etc/apt/keyrings && curl -fsS --connect-timeout 10 --max-time 60 -o "$key" "$from/gpg" &&
    echo "deb [signed-by=$key] $from $release stable" > "$list" &&
    printf '%s\n' 'Package: *' 'Pin: origin download.docker.com' 'Pin-Priority: -1' '' 'Package: docker-compose-plugin' \
      'Pin: origin download.docker.com' 'Pin-Priority: 500' > "$pins" &&
    keeping apt-get -q -o Acquire::Retries=1 -o Dir::Etc::sourcelist="$list" -o Dir::Etc::sourceparts=- \
      -o APT::Get::List-Cleanup=0 update && first_of docker-compose-plugin > /dev/null && return
  echo 'The Docker repository is not reachable'
  rm -f "$key" "$list" "$pins"
  return 1
}

git_is_there() {
  step git 'Checking git'
  has git || add git git ca-certificates || explain
  git --version
}
