# Functions for the cgroup of a build, and for the cgroup of all Docker builds, which older versions of Docker use.

cgroup_root=/sys/fs/cgroup
docker_cgroups='docker/buildkit system.slice/buildkit'

is_cgroup_v2() { [ -e "$cgroup_root/cgroup.controllers" ]; }
put() { { echo "$2" >"$1"; } 2>/dev/null; }

# set_limits CGROUP BYTES CPU_MICROSECONDS PROCESSES: CPU_MICROSECONDS is the CPU time in each tenth of a second.
set_limits() {
  if is_cgroup_v2; then
    put "$cgroup_root/$1/memory.max" "$2" && put "$cgroup_root/$1/cpu.max" "$3 100000" &&
      put "$cgroup_root/$1/pids.max" "$4" || unlimited=1
    put "$cgroup_root/$1/memory.swap.max" 0
    return
  fi
  put "$cgroup_root/memory/$1/memory.use_hierarchy" 1
  put "$cgroup_root/memory/$1/memory.memsw.limit_in_bytes" -1
  put "$cgroup_root/memory/$1/memory.limit_in_bytes" "$2" && put "$cgroup_root/cpu/$1/cpu.cfs_quota_us" "$3" &&
    put "$cgroup_root/pids/$1/pids.max" "$4" || unlimited=1
  # The limit with swap is a little higher than the memory limit, because Linux counts failures only against the limit
  # of memory alone.
  put "$cgroup_root/memory/$1/memory.memsw.limit_in_bytes" $(($2 + 1048576))
  put "$cgroup_root/memory/$1/memory.failcnt" 0
}

remove_limits() {
  put "$cgroup_root/$1/memory.max" max; put "$cgroup_root/$1/memory.swap.max" max
  put "$cgroup_root/$1/cpu.max" max; put "$cgroup_root/$1/pids.max" max
  put "$cgroup_root/memory/$1/memory.memsw.limit_in_bytes" -1; put "$cgroup_root/memory/$1/memory.limit_in_bytes" -1
  put "$cgroup_root/cpu/$1/cpu.cfs_quota_us" -1; put "$cgroup_root/pids/$1/pids.max" max
}

create_cgroup() {
  if is_cgroup_v2; then
    [ -d "$cgroup_root/$1/client" ] || mkdir -p "$cgroup_root/$1/client"
    parent=$cgroup_root
    for part in '' $(echo "$1" | tr / ' '); do
      parent=$parent/$part
      put "$parent/cgroup.subtree_control" '+memory +cpu +pids'
    done
  else
    [ -d "$cgroup_root/memory/$1" ] && [ -d "$cgroup_root/cpu/$1" ] && [ -d "$cgroup_root/pids/$1" ] ||
      mkdir -p "$cgroup_root/memory/$1" "$cgroup_root/cpu/$1" "$cgroup_root/pids/$1"
  fi 2>/dev/null
}

# Moves this process to a cgroup; an empty name moves it out of all.
move_to_cgroup() {
  if is_cgroup_v2; then put "$cgroup_root/${1:+$1/client/}cgroup.procs" $$
  else for kind in memory cpu pids; do put "$cgroup_root/$kind/${1:+$1/}cgroup.procs" $$; done; fi
}

# The cgroup is removed from every hierarchy, because newer versions of Docker create it in each.
remove_cgroup() {
  rmdir "$cgroup_root/$1/client" "$cgroup_root/$1/buildkit" "$cgroup_root/$1" "$cgroup_root"/*/"$1/buildkit" "$cgroup_root"/*/"$1"
} 2>/dev/null

# Succeeds if the kernel has the controllers that limits need.
supports_limits() {
  for kind in memory cpu pids; do
    [ -d "$cgroup_root/$kind" ] || grep -qw "$kind" "$cgroup_root/cgroup.controllers" 2>/dev/null || return
  done
}

# enter_cgroup CGROUP BYTES CPU_MICROSECONDS PROCESSES: sets unlimited if the limits cannot be set.
enter_cgroup() {
  unlimited=
  create_cgroup "$1"
  set_limits "$1" "$2" "$3" "$4"
  [ "$SLIPWAY_GROUP" = "$1" ] || move_to_cgroup "$1"
  unset SLIPWAY_GROUP
}

# limit_build own|older CGROUP BYTES CPU_MICROSECONDS PROCESSES: fails rather than build without limits.
limit_build() {
  cgroup_mode=$1 limited_cgroups=$2
  enter_cgroup "$2" "$3" "$4" "$5"
  [ "$cgroup_mode" != older ] || for cgroup in $docker_cgroups; do
    [ -d "$cgroup_root/memory/${cgroup%/*}" ] || [ -d "$cgroup_root/${cgroup%/*}" ] || continue
    create_cgroup "$cgroup"
    [ ! -d "$cgroup_root/$cgroup/client" ] || rmdir "$cgroup_root/$cgroup/client"
    set_limits "$cgroup" "$3" "$4" "$5"
    limited_cgroups="$limited_cgroups $cgroup"
  done
  [ -n "$unlimited" ] || return 0
  ! supports_limits || finish "$exit_no_limits"
  echo 'Warning: this server does not support resource limits for builds. Building without limits.'
}

unlimit_build() {
  [ "$cgroup_mode" != older ] || for cgroup in $docker_cgroups; do remove_limits "$cgroup"; done
}

# Checks whether a cgroup reached its memory limit, and sets limit_code. This is less certain with cgroups v1, which
# count failures that need not have killed a process.
reached_limit() {
  n=0 limit_code=$exit_met_limit
  ! is_cgroup_v2 || limit_code=$exit_out_of_memory
  if is_cgroup_v2; then
    while read -r word count; do [ "$word" != oom_kill ] || n=$count; done <"$cgroup_root/$1/memory.events"
  else read -r n <"$cgroup_root/memory/$1/memory.failcnt"; fi 2>/dev/null
  [ "${n:-0}" -gt 0 ]
}

# Replaces the exit code of a failed build with that of the limit that the build reached.
explain_failure() {
  [ "$code" != 0 ] && [ -z "$why" ] || return 0
  for cgroup in $limited_cgroups; do ! reached_limit "$cgroup" || code=$limit_code; done
}
