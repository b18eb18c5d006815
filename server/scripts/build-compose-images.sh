# Builds the images of a compose file one after another. POSIX sh for dash, bash and busybox.
#
#   sh -c SCRIPT sh APPLICATION_FOLDER PROJECT DEPLOYMENT LOCK_TIMEOUT SECONDS MIN_FREE_KIB DOCKER_ROOT MEMORY CPU
#     PROCESSES SERVICE…
#
# SLIPWAY_BUILD holds the compose file, because it contains secrets. Compose cannot set a cgroup parent, so the cgroup
# of all Docker builds is limited meanwhile.

# include build-guard.sh
# include source-exit-codes.sh
# include build-lock.sh
# include cgroups.sh
folder=$1 project=$2 group=slipway-builds/$3 tree=$sources/$3 lock_timeout=$4 seconds=$5 min_free_kib=$6 docker_root=$7 memory=$8 cpu=$9
shift 9
processes=$1
shift
file=$SLIPWAY_BUILD
unset SLIPWAY_BUILD
export DOCKER_BUILDKIT=1 BUILDKIT_PROGRESS=plain BUILDX_BUILDER=default NO_COLOR=1
finish() {
  unlimit_build
  move_to_cgroup ''
  remove_cgroup "$group"
  leave "$tree" "$1"
}
mkdir -p "$folder" "${tree%/*}" || exit
wait_for_lock "$lock_timeout"
guard "$seconds" "$tree" "$min_free_kib" "$docker_root"
limit_build older "$group" "$memory" "$cpu" "$processes"
code=0
for service; do
  printf 'Building %s\n' "$service"
  printf '%s' "$file" | docker compose --env-file /dev/null --project-name "$project" --project-directory "$folder" \
    --file - build -- "$service"
  code=$?
  [ "$code" = 0 ] || break
done
explain_failure
finish "$code"
