import { ended, inTurn } from './source-guard.ts'

/**
 * Arguments: the application's folder, the name of the project, seconds for which it waits for other builds, seconds that it
 * may take, and the services. The file is in a variable, as it holds secrets; nobody else's `.env` is read.
 */
export const buildScript = `${inTurn}
folder=$1 project=$2 turn=$3 seconds=$4
shift 4
exec 2>&1
file=$SLIPWAY_BUILD
unset SLIPWAY_BUILD
PATH=$PATH:/usr/local/bin:/usr/bin:/bin:/snap/bin
export PATH DOCKER_BUILDKIT=1 BUILDKIT_PROGRESS=plain BUILDX_BUILDER=default NO_COLOR=1
# It is there once a repository was built on this server.
lock=/var/lib/slipway/sources/builds.lock
[ ! -r "$lock" ] || { exec 9<"$lock"; take_turn "$turn"; }
( n=0
  while sleep 2; do
    n=$((n + 2))
    [ "$n" -lt "$seconds" ] || kill -TERM 0
  done ) </dev/null >/dev/null 2>&1 9>&- & watching=$!
trap 'exit ${ended.late}' TERM
trap 'kill "$watching" 2>/dev/null' EXIT
for service; do
  printf 'Building %s.\\n' "$service"
  printf '%s' "$file" | docker compose --env-file /dev/null --project-name "$project" --project-directory "$folder" \\
    --file - build -- "$service" || exit
done`
