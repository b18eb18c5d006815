#!/bin/sh
# Sets up a server for Slipway: Docker, Compose, git and the proxy. Runs as root in any POSIX shell and is idempotent.
# It changes nothing else on the server.
#
#   sh -c SCRIPT set-up HTTP_PORT HTTPS_PORT PROXY_IMAGE LOGIN_USER DOCKER_SOCKET PROXY_CONFIG PROXY_MAKE RUN_ARGUMENT…
#
# RUN_ARGUMENT… are the arguments of docker run for the proxy. SCRIPT is this file with those it includes.
# Slipway parses three kinds of lines: "==> step: …" starts a step, "Warning: …" is a warning, "!! …" is the error.
set -u
exec 2>&1 < /dev/null
umask 022
http_port=$1 https_port=$2 proxy_image=$3 login_user=$4 docker_socket=$5 proxy_config=$6 proxy_make=$7
shift 7
export LC_ALL=C DOCKER_HOST="unix://$docker_socket"
export PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/snap/bin"

proxy=slipway-proxy
proxy_folder=/var/lib/slipway/proxy
kept=$(mktemp) || { echo '!! The server has no space for a temporary file. Free up space, then set up again.'; exit 1; }
trap 'rm -f "$kept" "$kept.code" "$kept.lists"' EXIT

step() { printf '==> %s: %s\n' "$1" "$2"; }
warn() { printf 'Warning: %s\n' "$1"; }
fail() {
  printf '!! %s\n' "$1"
  exit 1
}
has() { command -v "$1" > /dev/null 2>&1; }
# Runs a command, prints its output and saves it in $kept.
keeping() {
  {
    "$@"
    echo $? > "$kept.code"
  } 2>&1 | tee "$kept"
  code=$(cat "$kept.code")
  return "${code:-1}"
}
# Runs a command and prints its output only if it fails.
quietly() {
  "$@" > "$kept" 2>&1 || {
    code=$?
    cat "$kept"
    return "$code"
  }
}
last_line() { grep -v '^[[:space:]]*$' "$kept" | tail -n 1 | cut -c 1-300 | sed 's/^Error response from daemon: //; s/[[:space:].]*$//'; }

# include set-up/check.sh
# include set-up/packages.sh
# include set-up/docker.sh
# include set-up/tools.sh
# include set-up/proxy.sh

main() {
  check
  docker_is_there
  compose_is_there
  git_is_there
  proxy_runs "$@"
}

main "$@"
