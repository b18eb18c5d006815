import { limited } from './limit-script.ts'
import { ended, guarded } from './source-guard.ts'

/**
 * Arguments: the application's folder, the deployment, the address, its origin, the commit, submodules or none, lfs or none,
 * seconds, KiB that have to stay free, and bytes, microseconds and processes that git may take. The token is in SLIPWAY_TOKEN,
 * for git alone: a helper gives it to that origin only.
 */
export const fetchScript = `${guarded}${limited}
base=$1 tree=$1/$2 group=slipway-builds/$2 url=$3 origin=$4 sha=$5 submodules=$6 lfs=$7
seconds=$8 least=$9
shift 9
hash git 2>/dev/null || exit ${ended.noGit}
umask 022
mkdir -p -m 700 "$base" || exit
for old in "$base"/dep_*; do rm -rf -- "$old"; done
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=true GIT_LFS_SKIP_SMUDGE=1 LC_ALL=C
export GIT_SSH=false GIT_SSH_COMMAND=false HOME="$base" SLIPWAY_ORIGIN="$origin"
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
  git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.logAllRefUpdates=false -c protocol.allow=never \\
    -c "protocol.\${origin%%://*}.allow=always" -c credential.helper= -c "credential.helper=$helper" \\
    -c "url.$origin/.insteadOf=git@$host:" -c "url.$origin/.insteadOf=ssh://git@$host/" \\
    -c http.lowSpeedLimit=1 -c http.lowSpeedTime=60 -c gc.auto=0 -c fetch.recurseSubmodules=false "$@"
}
found() {
  git init -q --bare "$base/git" && git --git-dir="$base/git" config core.bare false
}
done_with() {
  into ''
  discard "$group"
  leave "$base" "$1"
}
# What a power cut left of it is no use, nor are locks that nobody holds.
[ ! -e "$base/git" ] || git --git-dir="$base/git" rev-parse --git-dir >/dev/null 2>&1 || rm -rf "$base/git"
[ -e "$base/git" ] || found || exit
find "$base/git" -type f -name '*.lock' -exec rm -f {} +
rm -rf "$base/git/index" "$base/git/logs"
guard "$seconds" "$base" "$least"
enter "$group" "$1" "$2" "$3"
for pause in 2 5 0; do
  # Relative addresses of submodules begin there; each submodule has its own, so it is no setting for all of them.
  said=$(git --git-dir="$base/git" config remote.origin.url "$url" &&
    g --git-dir="$base/git" fetch --no-tags --depth 1 --force -- "$url" "$sha:refs/slipway/last" 2>&1) && break
  [ -z "$why" ] || done_with 143
  # What GitHub has refused it refuses again.
  case $pause:$said in
  0:* | *'not our ref'* | *'epository not found'* | *"' not found"* | *'uthentication failed'* | *'returned error: 40'[13]*)
    printf '%s\\n' "$said"
    done_with ${ended.notFetched}
    ;;
  esac
  printf '%s\\n' "$said" "Trying again in $pause seconds."
  case $said in *corrupt* | *'bad object'* | *'unable to read'*)
    rm -rf "$base/git"
    found
    ;;
  esac
  sleep "$pause"
  [ -z "$why" ] || done_with 143
done
mkdir "$tree" && echo "gitdir: $base/git" >"$tree/.git" && cd "$tree" || done_with ${ended.notCheckedOut}
g -c advice.detachedHead=false checkout -q --force --detach "$sha" || done_with ${ended.notCheckedOut}
if [ "$submodules" = submodules ] && [ -f .gitmodules ]; then
  g submodule --quiet sync --recursive
  g submodule update --init --recursive --depth 1 --force || done_with ${ended.notFetched}
fi
if [ "$lfs" = lfs ]; then
  hash git-lfs 2>/dev/null || done_with ${ended.noLfs}
  # Whatever address the repository itself names for them.
  g -c "lfs.url=$url/info/lfs" lfs pull origin || done_with ${ended.notFetched}
  # Files of other commits are fetched again when they are needed.
  g lfs ls-files --long | cut -c 1-64 >"$base/git/lfs.kept"
  find "$base/git/lfs/objects" -type f 2>/dev/null | grep -vFf "$base/git/lfs.kept" | while read -r old; do rm -f -- "$old"; done
fi
cd "$base"
find "$tree" -name .git -prune -exec rm -rf {} +
[ -z "$why" ] || done_with 143
done_with 0`
