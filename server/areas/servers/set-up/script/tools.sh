# Compose and git.

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
