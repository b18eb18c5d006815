import { exitCodes } from './source-guard.ts'

/**
 * Shell functions for our cgroups, and for the cgroup of all Docker builds, which older versions of Docker
 * use.
 */
export const cgroupFunctions = `
groups=/sys/fs/cgroup
put() { { echo "$2" >"$1"; } 2>/dev/null; }
# Arguments: path below the top, bytes, microseconds of each tenth of a second, processes.
limit() {
  if [ -e "$groups/cgroup.controllers" ]; then
    put "$groups/$1/memory.max" "$2" && put "$groups/$1/cpu.max" "$3 100000" && put "$groups/$1/pids.max" "$4" || unlimited=1
    put "$groups/$1/memory.swap.max" 0
    return
  fi
  put "$groups/memory/$1/memory.use_hierarchy" 1
  put "$groups/memory/$1/memory.memsw.limit_in_bytes" -1
  put "$groups/memory/$1/memory.limit_in_bytes" "$2" && put "$groups/cpu/$1/cpu.cfs_quota_us" "$3" &&
    put "$groups/pids/$1/pids.max" "$4" || unlimited=1
  # A little more: Linux counts only who meets the one for memory alone.
  put "$groups/memory/$1/memory.memsw.limit_in_bytes" $(($2 + 1048576))
  put "$groups/memory/$1/memory.failcnt" 0
}
unlimit() {
  put "$groups/$1/memory.max" max; put "$groups/$1/memory.swap.max" max
  put "$groups/$1/cpu.max" max; put "$groups/$1/pids.max" max
  put "$groups/memory/$1/memory.memsw.limit_in_bytes" -1; put "$groups/memory/$1/memory.limit_in_bytes" -1
  put "$groups/cpu/$1/cpu.cfs_quota_us" -1; put "$groups/pids/$1/pids.max" max
}
make() {
  if [ -e "$groups/cgroup.controllers" ]; then
    [ -d "$groups/$1/client" ] || mkdir -p "$groups/$1/client"
    at=$groups
    for part in '' $(echo "$1" | tr / ' '); do
      at=$at/$part
      put "$at/cgroup.subtree_control" '+memory +cpu +pids'
    done
  else
    [ -d "$groups/memory/$1" ] && [ -d "$groups/cpu/$1" ] && [ -d "$groups/pids/$1" ] ||
      mkdir -p "$groups/memory/$1" "$groups/cpu/$1" "$groups/pids/$1"
  fi 2>/dev/null
}
# Whether what stands in the group has met its limit: told by its code, as with the older groups that need not have killed it.
met() {
  n=0 how_sure=${exitCodes.metLimit}
  [ ! -e "$groups/cgroup.controllers" ] || how_sure=${exitCodes.outOfMemory}
  if [ -e "$groups/cgroup.controllers" ]; then
    while read -r word count; do [ "$word" != oom_kill ] || n=$count; done <"$groups/$1/memory.events"
  else read -r n <"$groups/memory/$1/memory.failcnt"; fi 2>/dev/null
  [ "\${n:-0}" -gt 0 ]
}
into() {
  if [ -e "$groups/cgroup.controllers" ]; then put "$groups/\${1:+$1/client/}cgroup.procs" $$
  else for kind in memory cpu pids; do put "$groups/$kind/\${1:+$1/}cgroup.procs" $$; done; fi
}
discard() {
  # A newer Docker makes them of every kind that there is.
  rmdir "$groups/$1/client" "$groups/$1/buildkit" "$groups/$1" "$groups"/*/"$1/buildkit" "$groups"/*/"$1"
} 2>/dev/null
# Whether Linux here has what limits are made of.
limitable() {
  for kind in memory cpu pids; do
    [ -d "$groups/$kind" ] || grep -qw "$kind" "$groups/cgroup.controllers" 2>/dev/null || return
  done
}
# Arguments: group, bytes, microseconds, processes. Who is in it is bounded; where that cannot be, it is said.
enter() {
  unlimited=
  make "$1"
  limit "$1" "$2" "$3" "$4"
  [ "$SLIPWAY_GROUP" = "$1" ] || into "$1"
  unset SLIPWAY_GROUP
}
older='docker/buildkit system.slice/buildkit'
# Arguments: own or older, group, bytes, microseconds, processes. What is built from here on is bounded, or nothing is.
bound() {
  whose=$1 measured=$2
  enter "$2" "$3" "$4" "$5"
  [ "$whose" != older ] || for one in $older; do
    [ -d "$groups/memory/\${one%/*}" ] || [ -d "$groups/\${one%/*}" ] || continue
    make "$one"
    [ ! -d "$groups/$one/client" ] || rmdir "$groups/$one/client"
    limit "$one" "$3" "$4" "$5"
    measured="$measured $one"
  done
  [ -n "$unlimited" ] || return 0
  ! limitable || over ${exitCodes.noLimits}
  echo 'Warning: this server does not support resource limits for builds. Building without limits.'
}
unbound() { [ "$whose" != older ] || for one in $older; do unlimit "$one"; done; }
# Sets the code of what failed to that of the limit that it has met.
blame() {
  [ "$code" != 0 ] && [ -z "$why" ] || return 0
  for one in $measured; do ! met "$one" || code=$how_sure; done
}
`
