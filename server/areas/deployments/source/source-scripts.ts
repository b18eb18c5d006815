import { cgroupFunctions } from './cgroup-script.ts'
import { exitCodes, guardFunctions, lockFunctions, lockVariable } from './source-guard.ts'

/**
 * Starting buildx directly saves a tenth of a second; older versions of Docker build themselves. Arguments:
 * own or older, then those of the build. Build arguments are variables of that program only, because argument
 * lists are public; another shell exports them, so that they do not affect this one. Their names are in
 * $names.
 */
const building = `
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
      echo "Warning: could not pull $one. Using the copy on this server."
  done
}
`

/**
 * Arguments: application folder, deployment, folder in the repository, Dockerfile, how (file, auto, given in
 * SLIPWAY_DOCKERFILE, railpack), own or older cgroups, memory, CPU and process limits, seconds, KiB that must
 * stay free, lock timeout, Docker root, names of build arguments with values in SLIPWAY_ARG_0 and so on, anew
 * for a rebuild; then the arguments of docker build.
 */
export const buildScript = `${guardFunctions}${lockFunctions}${cgroupFunctions}${building}
base=$1 tree=$1/$2 group=slipway-builds/$2 folder=$3 dockerfile=\${4:-Dockerfile} how=$5 whose=$6 memory=$7 cpu=$8 processes=$9
shift 9
seconds=$1 least=$2 turn=$3 images=$4 names=$5 fresh=$6
shift 6
text=$SLIPWAY_DOCKERFILE
unset SLIPWAY_DOCKERFILE
top=$(cd "$tree" && pwd -P) || exit ${exitCodes.noFolder}
context=$(cd "$tree/$folder" 2>/dev/null && pwd -P) || exit ${exitCodes.noFolder}
# What is a link is followed, and has to end in the repository.
inside() { case $1/ in "$top"/*) ;; *) exit ${exitCodes.leaves} ;; esac; }
real() { [ ! -L "$1" ] && [ ! -e "$1" ] || { found=$(readlink -f -- "$1") && [ -n "$found" ] || exit ${exitCodes.leaves}; inside "$found"; }; }
inside "$context"
file=$context/$dockerfile
case $how in file | auto)
  found=
  real "$file"
  [ -n "$found" ] && [ -f "$found" ] || exit ${exitCodes.noDockerfile}
  file=$found
  real "$file.dockerignore"
  ;;
esac
real "$context/.dockerignore"
# A program of the repository's own choice would read the Dockerfile, and need not keep to any limit.
read_by() {
  LC_ALL=C awk '{ gsub(/[^!-~]+/, " "); sub(/^ /, "") }
    $0 == "" { next }
    /^\\{/ { print "json"; exit }
    !/^(#|\\/\\/)/ { exit }
    tolower($0) ~ /^(#|\\/\\/) ?syntax ?=/ { sub(/^[^=]*= ?/, ""); print $1 }'
}
first=$text syntax=
case $how in file | auto) IFS= read -r first <"$file" ;; esac
# Most begin at once, and need no closer look.
case $how:$first in
  railpack:* | *:'FROM '* | *:'ARG '*) ;;
  given:*) syntax=$(printf '%s' "$text" | read_by) ;;
  *) syntax=$(read_by <"$file") ;;
esac
for one in $syntax; do
  case \${one#docker.io/} in
    docker/dockerfile | docker/dockerfile[:@]*) ;;
    *) echo "# syntax=$one" && exit ${exitCodes.otherSyntax} ;;
  esac
  # Older ones ask for no limit either.
  case $one in *labs*) one=docker/dockerfile:1-labs ;; *) one=docker/dockerfile:1 ;; esac
  set -- --build-arg "BUILDKIT_SYNTAX=$one" "$@"
done
[ "$how" != railpack ] || hash railpack 2>/dev/null || exit ${exitCodes.noRailpack}
export DOCKER_BUILDKIT=1 BUILDX_BUILDER=default BUILDX_NO_DEFAULT_ATTESTATIONS=1 BUILDX_GIT_INFO=false NO_COLOR=1
over() {
  unbound
  leave "$tree" "$1"
}
take_turn "$turn"
guard "$seconds" "$tree" "$least" "$images"
bound "$whose" "$group" "$memory" "$cpu" "$processes"
[ "$how" != railpack ] || with_args railpack prepare --plan-out "$tree.plan" -- "$context" || over ${exitCodes.noPlan}
build() { docker_build "$whose" --progress plain --cgroup-parent "/$group" "$@" -- "$context"; }
make_image() {
  case $how in
    given) printf '%s' "$text" | build --file - "$@" ;;
    railpack) build --file "$tree.plan" --build-arg BUILDKIT_SYNTAX=ghcr.io/railwayapp/railpack-frontend "$@" ;;
    *) build --file "$file" "$@" ;;
  esac
}
if [ "$fresh" = anew ]; then
  { make_image --no-cache --pull "$@"; echo "$?" >"$tree.code"; } 2>&1 | tee "$tree.said"
  read -r code <"$tree.code"
  [ "$code" = 0 ] || [ -n "$why" ] || ! stands_here "$tree.said" || { make_image --no-cache "$@"; code=$?; }
else
  make_image "$@"
  code=$?
fi
blame
over "$code"`

/** Removes the leftovers of a deployment. Arguments: application folder, deployment. Idempotent. */
export const clearScript = `${lockVariable}${cgroupFunctions}
rm -rf -- "$1/$2" "$1/$2.plan" "$1/$2.said" "$1/$2.code" "$1/$2.why" "$1.why"
# Only what was fetched last is of use to the next.
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
find "$1/git" -type d -name objects -prune 2>/dev/null | while read -r one; do
  rm -rf "\${one%/*}/logs" "\${one%/*}"/lfs/tmp "\${one%/*}"/lfs/incomplete
  # Also of what was ended in the middle, of which git keeps all that it had so far.
  git --git-dir="\${one%/*}" prune --expire=now 2>/dev/null
  git --git-dir="\${one%/*}" -c gc.autoDetach=false -c gc.autoPackLimit=4 gc --quiet --auto --prune=now 2>/dev/null
done
stray() { find "$groups" -path "*/slipway-builds/$1/*" -name cgroup.procs -exec cat {} + 2>/dev/null | grep '^[1-9]'; }
n=0
while discard "slipway-builds/$2"; [ -d "$groups/memory/slipway-builds/$2" ] || [ -d "$groups/slipway-builds/$2" ]; do
  n=$((n + 1))
  [ "$n" -lt 50 ] || exit ${exitCodes.stillBusy}
  # What Docker has not ended by itself.
  [ "$n" -lt 10 ] || for one in $(stray "$2"); do kill -KILL "$one"; done
  sleep 0.1 || sleep 1
done
rmdir "$groups/slipway-builds" "$groups"/*/slipway-builds 2>/dev/null
# Only while nobody builds.
[ -d "\${lock%/*}" ] || exit 0
exec 9>"$lock"
! hash flock 2>/dev/null || ! flock -n 9 || for one in $older; do unlimit "$one"; done
exit 0`
