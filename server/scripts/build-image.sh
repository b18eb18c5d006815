# Builds the image of a fetched repository. POSIX sh for dash, bash and busybox.
#
#   sh -c SCRIPT sh APPLICATION_FOLDER DEPLOYMENT FOLDER DOCKERFILE file|auto|given|railpack own|older MEMORY CPU
#     PROCESSES SECONDS MIN_FREE_KIB LOCK_TIMEOUT DOCKER_ROOT BUILD_ARGUMENT_NAMES rebuild|cached ARGUMENT…
#
# SLIPWAY_DOCKERFILE holds the Dockerfile for "given", SLIPWAY_ARG_0 and so on the values of the build arguments.
# ARGUMENT… are those of docker build.

# include build-guard.sh
# include source-exit-codes.sh
# include build-lock.sh
# include cgroups.sh

# Runs a program with the build arguments as variables, because argument lists are public. Another shell exports the
# variables, so that they do not affect this one.
with_args() {
  # shellcheck disable=SC2016 # expanded by the other shell
  sh -c '_slipway_names=$1 _slipway_n=0
    shift
    for _slipway_name in $_slipway_names; do
      eval "export \"\$_slipway_name=\$SLIPWAY_ARG_$_slipway_n\""
      unset "SLIPWAY_ARG_$_slipway_n"
      _slipway_n=$((_slipway_n + 1))
    done
    exec "$@"' sh "$names" "$@"
}
# docker_build own|older ARGUMENT…: starts buildx directly, which saves a tenth of a second. Older versions of Docker
# build without buildx.
docker_build() {
  docker_age=$1
  shift
  [ "$docker_age" != older ] || { with_args docker build "$@"; return; }
  for plugins in "${DOCKER_CONFIG:-$HOME/.docker}/cli-plugins" /usr/local/lib/docker/cli-plugins /usr/local/libexec/docker/cli-plugins \
    /usr/lib/docker/cli-plugins /usr/libexec/docker/cli-plugins; do
    [ ! -x "$plugins/docker-buildx" ] || { with_args "$plugins/docker-buildx" build "$@"; return; }
  done
  with_args docker buildx build "$@"
}
# pull_available OUTPUT_FILE: pulls base images. Succeeds if the server has all images that the registry did not
# provide.
pull_available() {
  asked=$(awk '/^#[0-9]+ \[.*load metadata for / { print $NF }' "$1")
  missed=$(awk '/^#[0-9]+ \[.*load metadata for / { of[$1] = $NF } $2 == "ERROR:" && $1 in of { print of[$1] }' "$1")
  [ -n "$missed" ] || return
  for image in $missed; do docker image inspect "$image" >/dev/null 2>&1 || return; done
  for image in $asked; do
    docker image inspect "$image" >/dev/null 2>&1 || continue
    docker pull --quiet "$image" >/dev/null 2>&1 ||
      echo "Warning: could not pull $image. Using the copy on this server."
  done
}

tree=$1/$2 group=slipway-builds/$2 folder=$3 dockerfile=${4:-Dockerfile} recipe=$5 cgroup_mode=$6 memory=$7 cpu=$8 processes=$9
shift 9
seconds=$1 min_free_kib=$2 lock_timeout=$3 docker_root=$4 names=$5 mode=$6
shift 6
text=$SLIPWAY_DOCKERFILE
unset SLIPWAY_DOCKERFILE
top=$(cd "$tree" && pwd -P) || exit "$exit_no_folder"
context=$(cd "$tree/$folder" 2>/dev/null && pwd -P) || exit "$exit_no_folder"
# Symbolic links must stay inside the repository.
must_be_inside() { case $1/ in "$top"/*) ;; *) exit "$exit_leaves" ;; esac; }
resolve() {
  [ ! -L "$1" ] && [ ! -e "$1" ] || {
    found=$(readlink -f -- "$1") && [ -n "$found" ] || exit "$exit_leaves"
    must_be_inside "$found"
  }
}
must_be_inside "$context"
file=$context/$dockerfile
case $recipe in file | auto)
  found=
  resolve "$file"
  [ -n "$found" ] && [ -f "$found" ] || exit "$exit_no_dockerfile"
  file=$found
  resolve "$file.dockerignore"
  ;;
esac
resolve "$context/.dockerignore"
# Prints the frontends that a Dockerfile requests. A frontend that the repository chooses could ignore the limits.
syntax_of() {
  LC_ALL=C awk '{ gsub(/[^!-~]+/, " "); sub(/^ /, "") }
    $0 == "" { next }
    /^\{/ { print "json"; exit }
    !/^(#|\/\/)/ { exit }
    tolower($0) ~ /^(#|\/\/) ?syntax ?=/ { sub(/^[^=]*= ?/, ""); print $1 }'
}
first=$text syntax=
case $recipe in file | auto) IFS= read -r first <"$file" ;; esac
# Most files start with an instruction and have no syntax line.
case $recipe:$first in
  railpack:* | *:'FROM '* | *:'ARG '*) ;;
  given:*) syntax=$(printf '%s' "$text" | syntax_of) ;;
  *) syntax=$(syntax_of <"$file") ;;
esac
for frontend in $syntax; do
  case ${frontend#docker.io/} in
    docker/dockerfile | docker/dockerfile[:@]*) ;;
    *) echo "# syntax=$frontend" && exit "$exit_other_syntax" ;;
  esac
  # Older versions of the frontend do not set limits either.
  case $frontend in *labs*) frontend=docker/dockerfile:1-labs ;; *) frontend=docker/dockerfile:1 ;; esac
  set -- --build-arg "BUILDKIT_SYNTAX=$frontend" "$@"
done
[ "$recipe" != railpack ] || hash railpack 2>/dev/null || exit "$exit_no_railpack"
export DOCKER_BUILDKIT=1 BUILDX_BUILDER=default BUILDX_NO_DEFAULT_ATTESTATIONS=1 BUILDX_GIT_INFO=false NO_COLOR=1
finish() {
  unlimit_build
  leave "$tree" "$1"
}
wait_for_lock "$lock_timeout"
guard "$seconds" "$tree" "$min_free_kib" "$docker_root"
limit_build "$cgroup_mode" "$group" "$memory" "$cpu" "$processes"
[ "$recipe" != railpack ] || with_args railpack prepare --plan-out "$tree.plan" -- "$context" || finish "$exit_no_plan"
build() { docker_build "$cgroup_mode" --progress plain --cgroup-parent "/$group" "$@" -- "$context"; }
build_recipe() {
  case $recipe in
    given) printf '%s' "$text" | build --file - "$@" ;;
    railpack) build --file "$tree.plan" --build-arg BUILDKIT_SYNTAX=ghcr.io/railwayapp/railpack-frontend "$@" ;;
    *) build --file "$file" "$@" ;;
  esac
}
if [ "$mode" = rebuild ]; then
  { build_recipe --no-cache --pull "$@"; echo "$?" >"$tree.code"; } 2>&1 | tee "$tree.said"
  read -r code <"$tree.code"
  [ "$code" = 0 ] || [ -n "$why" ] || ! pull_available "$tree.said" || { build_recipe --no-cache "$@"; code=$?; }
else
  build_recipe "$@"
  code=$?
fi
explain_failure
finish "$code"
