/**
 * Arguments: the application's folder, the name of the project, and the services. The file is in a variable, as it holds
 * secrets; nobody else's `.env` is read.
 */
export const buildScript = `folder=$1 project=$2
shift 2
exec 2>&1
file=$SLIPWAY_BUILD
unset SLIPWAY_BUILD
PATH=$PATH:/usr/local/bin:/usr/bin:/bin:/snap/bin
export PATH DOCKER_BUILDKIT=1 BUILDKIT_PROGRESS=plain BUILDX_BUILDER=default NO_COLOR=1
for service; do
  printf 'Building %s.\\n' "$service"
  printf '%s' "$file" | docker compose --env-file /dev/null --project-name "$project" --project-directory "$folder" \\
    --file - build -- "$service" || exit
done`
