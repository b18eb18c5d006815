# Removes what a deployment left behind: checkout, cgroup and old objects of git. Idempotent.
#
#   sh -c SCRIPT sh APPLICATION_FOLDER DEPLOYMENT

# include build-lock-path.sh
# include source-exit-codes.sh
# include cgroups.sh
folder=${1:?} deployment=${2:?} tree=$1/$2
rm -rf -- "$tree" "$tree.plan" "$tree.said" "$tree.code" "$tree.why" "$folder.why"
# Only the objects of the last fetch are kept, because the next fetch needs no others.
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
find "$folder/git" -type d -name objects -prune 2>/dev/null | while read -r objects; do
  repository=${objects%/*}
  rm -rf "$repository/logs" "$repository"/lfs/tmp "$repository"/lfs/incomplete
  # An interrupted fetch leaves objects that no reference names.
  git --git-dir="$repository" prune --expire=now 2>/dev/null
  git --git-dir="$repository" -c gc.autoDetach=false -c gc.autoPackLimit=4 gc --quiet --auto --prune=now 2>/dev/null
done
list_processes() {
  find "$cgroup_root" -path "*/slipway-builds/$1/*" -name cgroup.procs -exec cat {} + 2>/dev/null | grep '^[1-9]'
}
n=0
while
  remove_cgroup "slipway-builds/$deployment"
  [ -d "$cgroup_root/memory/slipway-builds/$deployment" ] || [ -d "$cgroup_root/slipway-builds/$deployment" ]
do
  n=$((n + 1))
  [ "$n" -lt 50 ] || exit "$exit_still_busy"
  # After a second, Docker has not ended these processes, so they are killed.
  [ "$n" -lt 10 ] || for process in $(list_processes "$deployment"); do kill -KILL "$process"; done
  sleep 0.1 || sleep 1
done
rmdir "$cgroup_root/slipway-builds" "$cgroup_root"/*/slipway-builds 2>/dev/null
# Limits of Docker's own cgroups are removed only while no build holds the lock.
[ -d "${lock%/*}" ] || exit 0
exec 9>"$lock"
! hash flock 2>/dev/null || ! flock -n 9 || for cgroup in $docker_cgroups; do remove_limits "$cgroup"; done
exit 0
