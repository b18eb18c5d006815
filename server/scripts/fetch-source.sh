# Fetches a commit of a repository and checks it out, then runs a program. POSIX sh for dash, bash and busybox.
#
#   sh -c SCRIPT sh APPLICATION_FOLDER DEPLOYMENT URL ORIGIN COMMIT submodules|none lfs|none SECONDS MIN_FREE_KIB
#     MEMORY CPU PROCESSES MARKER PROGRAM ARGUMENT…
#
# MARKER is printed before PROGRAM runs. Only git receives SLIPWAY_TOKEN, and its credential helper sends it to ORIGIN
# only. Starts few programs, because each takes a millisecond or more.

# include build-guard.sh
# include source-exit-codes.sh
# include cgroups.sh
base=$1 tree=$1/$2 group=slipway-builds/$2 url=$3 origin=$4 sha=$5 submodules=$6 lfs=$7
seconds=$8 min_free_kib=$9
shift 9
memory=$1 cpu=$2 processes=$3 marker=$4
shift 4
hash git 2>/dev/null || exit "$exit_no_git"
# Moving a process to a cgroup takes a while, so git is prepared meanwhile.
enter_cgroup "$group" "$memory" "$cpu" "$processes" & entering=$!
umask 022
# shellcheck disable=SC2174 # the mode is for the deepest folder only
[ -d "$base" ] || mkdir -p -m 700 "$base" || exit
export SLIPWAY_ORIGIN="$origin"
# shellcheck disable=SC2016 # expanded by the shell that git starts
helper='!give() {
  [ "$1" = get ] || return 0
  protocol= host=
  while IFS= read -r line; do
    case $line in protocol=*) protocol=${line#*=} ;; host=*) host=${line#*=} ;; esac
  done
  [ "$protocol://$host" != "$SLIPWAY_ORIGIN" ] || printf "username=x-access-token\npassword=%s\n" "$SLIPWAY_TOKEN"
}; give'
host=${origin#*://}
g() {
  GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=true GIT_LFS_SKIP_SMUDGE=1 \
    GIT_SSH=false GIT_SSH_COMMAND=false HOME="$base" LC_ALL=C \
    git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.logAllRefUpdates=false -c protocol.allow=never \
    -c "protocol.${origin%%://*}.allow=always" -c credential.helper= -c "credential.helper=$helper" \
    -c "url.$origin/.insteadOf=git@$host:" -c "url.$origin/.insteadOf=ssh://git@$host/" -c http.lowSpeedLimit=1 \
    -c http.lowSpeedTime=60 -c gc.auto=0 -c maintenance.auto=false -c fetch.recurseSubmodules=false "$@"
}
create_repository() { rm -rf "$base/git" && g init -q --bare "$base/git" && g --git-dir="$base/git" config core.bare false; }
finish() { leave "$base" "$1"; }
# A power failure can leave an incomplete repository, and locks of processes that no longer run.
[ -s "$base/git/HEAD" ] && [ -s "$base/git/config" ] && [ -d "$base/git/objects" ] && [ -d "$base/git/refs" ] ||
  create_repository || exit
rm -rf -- "$base"/dep_* "$base/git/index" "$base/git/logs" "$base/git"/*.lock "$base/git/refs/slipway"/*.lock
[ ! -d "$base/git/modules" ] || find "$base/git" -type f -name '*.lock' -exec rm -f {} +
guard "$seconds" "$base" "$min_free_kib" ''
wait "$entering"
for pause in 2 5 0; do
  # Relative URLs of submodules refer to this setting. -c would also pass it to the submodules, and each has its own.
  output=$({ [ "$submodules$lfs" = nonenone ] || g --git-dir="$base/git" config remote.origin.url "$url"; } 2>&1 &&
    g --git-dir="$base/git" fetch --no-tags --depth 1 --force -- "$url" "$sha:refs/slipway/last" 2>&1) && break
  [ -z "$why" ] || finish 143
  # A retry does not help when GitHub refuses the request.
  case $pause:$output in
  0:* | *'not our ref'* | *'epository not found'* | *"' not found"* | *'uthentication failed'* | *'returned error: 40'[13]*)
    printf '%s\n' "$output"
    finish "$exit_not_fetched"
    ;;
  esac
  printf '%s\n' "$output" "Retrying in $pause seconds."
  case $output in *corrupt* | *'bad object'* | *'unable to read'* | *'not a git repository'* | *'bad config'*) create_repository ;; esac
  sleep "$pause"
  [ -z "$why" ] || finish 143
done
mkdir "$tree" && cd "$tree" || finish "$exit_not_checked_out"
# git submodule and git-lfs find the repository through this file.
[ "$submodules$lfs" = nonenone ] || echo "gitdir: $base/git" >"$tree/.git" || finish "$exit_not_checked_out"
g --git-dir="$base/git" --work-tree="$tree" -c advice.detachedHead=false checkout -q --force --detach "$sha" ||
  finish "$exit_not_checked_out"
if [ "$submodules" = submodules ] && [ -f .gitmodules ]; then
  g submodule --quiet sync --recursive
  g submodule update --init --recursive --depth 1 --force || finish "$exit_not_fetched"
fi
if [ "$lfs" = lfs ]; then
  hash git-lfs 2>/dev/null || finish "$exit_no_lfs"
  # lfs.url replaces the URL that the repository configures. Without the filters, git-lfs fetches files but checks none
  # out.
  g -c "lfs.url=$url/info/lfs" -c filter.lfs.smudge='git-lfs smudge -- %f' -c filter.lfs.clean='git-lfs clean -- %f' \
    lfs pull origin || finish "$exit_not_fetched"
  # Files of other commits are removed; a later deployment fetches the files that it needs.
  g lfs ls-files --long | cut -c 1-64 >"$base/git/lfs.kept"
  find "$base/git/lfs/objects" -type f 2>/dev/null | grep -vFf "$base/git/lfs.kept" | while read -r old; do rm -f -- "$old"; done
fi
# shellcheck disable=SC2164 # the folder was written to just now
cd "$base"
[ "$submodules$lfs" = nonenone ] || find "$tree" -name .git -prune -exec rm -rf {} +
[ -z "$why" ] && [ ! -s "$base.why" ] || finish 143
kill "$guarding"
unset SLIPWAY_TOKEN SLIPWAY_ORIGIN
# The build stays in the cgroup: moving a process costs more time than the rest of this script.
export SLIPWAY_GROUP="$group"
printf '%s\n' "$marker"
exec "$@"
