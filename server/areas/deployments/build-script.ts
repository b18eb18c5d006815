import { limited } from './limit-script.ts'
import { guarded, inTurn, sourcesFolder } from './source-guard.ts'

/**
 * Arguments: the application's folder, the name of the project, the deployment, seconds for which it waits for other builds,
 * seconds that it may take, KiB that have to stay free, the folder of Docker's images, and bytes, microseconds and processes
 * that it may take; then the services. The file is in a variable, as it holds secrets; nobody else's `.env` is read. Compose
 * lets nobody say in which control group something is built, so Docker's own one of all builds is limited meanwhile.
 */
export const buildScript = `${guarded}${inTurn}${limited}
folder=$1 project=$2 group=slipway-builds/$3 place=${sourcesFolder}/$3 turn=$4 seconds=$5 least=$6 images=$7 memory=$8 cpu=$9
shift 9
processes=$1
shift
file=$SLIPWAY_BUILD
unset SLIPWAY_BUILD
export DOCKER_BUILDKIT=1 BUILDKIT_PROGRESS=plain BUILDX_BUILDER=default NO_COLOR=1
over() {
  unbound
  into ''
  discard "$group"
  leave "$place" "$1"
}
mkdir -p "$folder" "\${place%/*}" || exit
take_turn "$turn"
guard "$seconds" "$place" "$least" "$images"
bound older "$group" "$memory" "$cpu" "$processes"
code=0
for service; do
  printf 'Building %s.\\n' "$service"
  printf '%s' "$file" | docker compose --env-file /dev/null --project-name "$project" --project-directory "$folder" \\
    --file - build -- "$service"
  code=$?
  [ "$code" = 0 ] || break
done
blame
over "$code"`
