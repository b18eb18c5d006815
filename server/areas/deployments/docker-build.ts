/**
 * Docker's own program starts the one of its plugin twice: a tenth of a second. An older Docker builds by itself, and of newer
 * ones the plugin is started as the program that it is. Arguments: own or older, as limits have it; then what is built.
 * Arguments of the build are variables of that program alone: everybody can read its argument list, and another shell sets
 * them, so that none of them is a variable of this one. Their names are in $names.
 */
export const building = `
with_args() {
  sh -c '_slipway_names=$1 _slipway_n=0
    shift
    for _slipway_name in $_slipway_names; do
      eval "export \\"\\$_slipway_name=\\$SLIPWAY_ARG_$_slipway_n\\""
      unset "SLIPWAY_ARG_$_slipway_n"
      _slipway_n=$((_slipway_n + 1))
    done
    exec "$@"' sh "$names" "$@"
}
docker_build() {
  older_one=$1
  shift
  [ "$older_one" != older ] || { with_args docker build "$@"; return; }
  for at in "\${DOCKER_CONFIG:-$HOME/.docker}/cli-plugins" /usr/local/lib/docker/cli-plugins /usr/local/libexec/docker/cli-plugins \\
    /usr/lib/docker/cli-plugins /usr/libexec/docker/cli-plugins; do
    [ ! -x "$at/docker-buildx" ] || { with_args "$at/docker-buildx" build "$@"; return; }
  done
  with_args docker buildx build "$@"
}
# Whether what a build could not ask a registry for is on the server; then all else that it stands on is asked for by itself.
# Argument: the file with what the build said.
stands_here() {
  asked=$(awk '/^#[0-9]+ \\[.*load metadata for / { print $NF }' "$1")
  missed=$(awk '/^#[0-9]+ \\[.*load metadata for / { of[$1] = $NF } $2 == "ERROR:" && $1 in of { print of[$1] }' "$1")
  [ -n "$missed" ] || return
  for one in $missed; do docker image inspect "$one" >/dev/null 2>&1 || return; done
  for one in $asked; do
    docker image inspect "$one" >/dev/null 2>&1 || continue
    docker pull --quiet "$one" >/dev/null 2>&1 ||
      echo "Warning: no registry gives $one, so the one that is on this server already is used."
  done
}
`
