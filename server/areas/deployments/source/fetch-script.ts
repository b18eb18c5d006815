import { cgroupFunctions } from './cgroup-script.ts'
import { exitCodes, guardFunctions } from './source-guard.ts'

/**
 * Arguments: application folder, deployment, URL, origin, commit, submodules or none, lfs or none, seconds,
 * KiB that must stay free, memory, CPU and process limits of git; then a marker line and the program to run
 * after printing it. Only git receives SLIPWAY_TOKEN, and its credential helper sends it to that origin only.
 * Starts few programs, because each takes a millisecond or more.
 */
export const fetchScript = `${guardFunctions}${cgroupFunctions}
base=$1 tree=$1/$2 group=slipway-builds/$2 url=$3 origin=$4 sha=$5 submodules=$6 lfs=$7
seconds=$8 least=$9
shift 9
memory=$1 cpu=$2 processes=$3 fetched=$4
shift 4
hash git 2>/dev/null || exit ${exitCodes.noGit}
# Linux takes its time to move somebody; meanwhile all is made ready for git.
enter "$group" "$memory" "$cpu" "$processes" & entering=$!
umask 022
[ -d "$base" ] || mkdir -p -m 700 "$base" || exit
export SLIPWAY_ORIGIN="$origin"
helper='!give() {
  [ "$1" = get ] || return 0
  protocol= host=
  while IFS= read -r line; do
    case $line in protocol=*) protocol=\${line#*=} ;; host=*) host=\${line#*=} ;; esac
  done
  [ "$protocol://$host" != "$SLIPWAY_ORIGIN" ] || printf "username=x-access-token\\npassword=%s\\n" "$SLIPWAY_TOKEN"
}; give'
host=\${origin#*://}
g() {
  GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=true GIT_LFS_SKIP_SMUDGE=1 \\
    GIT_SSH=false GIT_SSH_COMMAND=false HOME="$base" LC_ALL=C \\
    git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.logAllRefUpdates=false -c protocol.allow=never \\
    -c "protocol.\${origin%%://*}.allow=always" -c credential.helper= -c "credential.helper=$helper" \\
    -c "url.$origin/.insteadOf=git@$host:" -c "url.$origin/.insteadOf=ssh://git@$host/" -c http.lowSpeedLimit=1 \\
    -c http.lowSpeedTime=60 -c gc.auto=0 -c maintenance.auto=false -c fetch.recurseSubmodules=false "$@"
}
found() { rm -rf "$base/git" && g init -q --bare "$base/git" && g --git-dir="$base/git" config core.bare false; }
done_with() { leave "$base" "$1"; }
# What a power cut left of it is no use, nor are locks that nobody holds.
[ -s "$base/git/HEAD" ] && [ -s "$base/git/config" ] && [ -d "$base/git/objects" ] && [ -d "$base/git/refs" ] || found || exit
rm -rf -- "$base"/dep_* "$base/git/index" "$base/git/logs" "$base/git"/*.lock "$base/git/refs/slipway"/*.lock
[ ! -d "$base/git/modules" ] || find "$base/git" -type f -name '*.lock' -exec rm -f {} +
guard "$seconds" "$base" "$least" ''
wait "$entering"
for pause in 2 5 0; do
  # Relative addresses of submodules begin there; each submodule has its own, so it is no setting for all of them.
  said=$({ [ "$submodules$lfs" = nonenone ] || g --git-dir="$base/git" config remote.origin.url "$url"; } 2>&1 &&
    g --git-dir="$base/git" fetch --no-tags --depth 1 --force -- "$url" "$sha:refs/slipway/last" 2>&1) && break
  [ -z "$why" ] || done_with 143
  # What GitHub has refused it refuses again.
  case $pause:$said in
  0:* | *'not our ref'* | *'epository not found'* | *"' not found"* | *'uthentication failed'* | *'returned error: 40'[13]*)
    printf '%s\\n' "$said"
    done_with ${exitCodes.notFetched}
    ;;
  esac
  printf '%s\\n' "$said" "Trying again in $pause seconds."
  case $said in *corrupt* | *'bad object'* | *'unable to read'* | *'not a git repository'* | *'bad config'*) found ;; esac
  sleep "$pause"
  [ -z "$why" ] || done_with 143
done
mkdir "$tree" && cd "$tree" || done_with ${exitCodes.notCheckedOut}
# Programs that look for the repository by themselves find it so.
[ "$submodules$lfs" = nonenone ] || echo "gitdir: $base/git" >"$tree/.git" || done_with ${exitCodes.notCheckedOut}
g --git-dir="$base/git" --work-tree="$tree" -c advice.detachedHead=false checkout -q --force --detach "$sha" ||
  done_with ${exitCodes.notCheckedOut}
if [ "$submodules" = submodules ] && [ -f .gitmodules ]; then
  g submodule --quiet sync --recursive
  g submodule update --init --recursive --depth 1 --force || done_with ${exitCodes.notFetched}
fi
if [ "$lfs" = lfs ]; then
  hash git-lfs 2>/dev/null || done_with ${exitCodes.noLfs}
  # Whatever address the repository itself names for them. Without the filter, which git was not told of, it only fetches.
  g -c "lfs.url=$url/info/lfs" -c filter.lfs.smudge='git-lfs smudge -- %f' -c filter.lfs.clean='git-lfs clean -- %f' \\
    lfs pull origin || done_with ${exitCodes.notFetched}
  # Files of other commits are fetched again when they are needed.
  g lfs ls-files --long | cut -c 1-64 >"$base/git/lfs.kept"
  find "$base/git/lfs/objects" -type f 2>/dev/null | grep -vFf "$base/git/lfs.kept" | while read -r old; do rm -f -- "$old"; done
fi
cd "$base"
[ "$submodules$lfs" = nonenone ] || find "$tree" -name .git -prune -exec rm -rf {} +
[ -z "$why" ] && [ ! -s "$base.why" ] || done_with 143
kill "$guarding"
unset SLIPWAY_TOKEN SLIPWAY_ORIGIN
# It stays where it is: to be moved costs Linux more than all the rest of this.
export SLIPWAY_GROUP="$group"
printf '%s\\n' "$fetched"
exec "$@"`
