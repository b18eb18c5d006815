# Compose and git.

compose_version() { docker compose version --short 2> /dev/null; }

least_compose=2.20

compose_is_there() {
  step compose 'Looking for compose'
  compose_is_fit || install_compose
  if compose_is_fit; then
    echo "Compose $version"
  elif [ -n "$version" ]; then
    warn "compose applications will not work here until Docker Compose is version $least_compose or newer; it is $version. Everything else does."
  else
    warn "compose applications will not work here until Docker Compose $least_compose or newer is installed. Everything else does."
  fi
}

# The separate program docker-compose of version 1 is another one, which reads other files.
compose_is_fit() {
  version=$(compose_version | sed 's/^v//')
  major=${version%%.*} minor=${version#*.}
  minor=${minor%%[!0-9]*}
  [ "${major:-0}" -gt "${least_compose%.*}" ] 2> /dev/null ||
    { [ "${major:-0}" -eq "${least_compose%.*}" ] && [ "${minor:-0}" -ge "${least_compose#*.}" ]; } 2> /dev/null
}

install_compose() {
  # A server that has no package manager we know of does without.
  (manager > /dev/null) || return 0
  read_lists
  ! is_offline || return 0
  found=$(first_of docker-compose-plugin docker-compose-v2 docker-cli-compose) || found=
  # Where that is the old program it is of no use.
  [ -n "$found" ] || ! is_new docker-compose || found=$(first_of docker-compose) || found=
  if [ -z "$found" ] && [ "$package_manager" = apt-get ] && add_apt_repository; then found=docker-compose-plugin; fi
  [ -z "$found" ] || add 'Docker Compose' "$found" || warn "Docker Compose could not be installed: $(last_words)."
}

# Only a Debian that is older than compose 2 has the old one.
is_new() { [ "$package_manager" != apt-get ] || apt-cache policy "$1" 2> /dev/null | grep -qE 'Candidate: ([0-9]+:)?([2-9]|[1-9][0-9])\.'; }

# Debian 12 and its like have no compose 2 among their own packages. Docker's repository is asked for compose and nothing else.
add_apt_repository() {
  system=$(. /etc/os-release && echo "$ID") release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  case $system in debian | ubuntu) has curl ;; *) return 1 ;; esac || return 1
  echo "This distribution has no package of compose $least_compose, so Docker's own repository is asked"
  from=https://download.docker.com/linux/$system
  key=/etc/apt/keyrings/slipway-docker.asc list=/etc/apt/sources.list.d/slipway-docker.list
  pins=/etc/apt/preferences.d/slipway-docker
  mkdir -p /etc/apt/keyrings && curl -fsS --connect-timeout 10 --max-time 60 -o "$key" "$from/gpg" &&
    echo "deb [signed-by=$key] $from $release stable" > "$list" &&
    printf '%s\n' 'Package: *' 'Pin: origin download.docker.com' 'Pin-Priority: -1' '' 'Package: docker-compose-plugin' \
      'Pin: origin download.docker.com' 'Pin-Priority: 500' > "$pins" &&
    keeping apt-get -q -o Acquire::Retries=1 -o Dir::Etc::sourcelist="$list" -o Dir::Etc::sourceparts=- \
      -o APT::Get::List-Cleanup=0 update && first_of docker-compose-plugin > /dev/null && return
  echo 'It did not answer'
  rm -f "$key" "$list" "$pins"
  return 1
}

git_is_there() {
  step git 'Looking for git'
  has git || add git git ca-certificates || explain
  git --version
}
