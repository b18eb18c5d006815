# Runs docker compose on files from standard input, in a temporary folder.
#
#   sh -c SCRIPT sh FOLDER [PATH SIZE]… / ARGUMENT…
#
# The files arrive one after another and are split by their sizes. A file with aliases that grow without end would use all
# memory of the server, and Compose ignores TERM meanwhile, so limits end Compose.
folder=$1
shift
umask 077
mkdir -- "$folder" || exit 1
trap 'rm -rf -- "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd -- "$folder" && cat > .all || exit 1
at=1
while [ "$1" != / ]; do
  mkdir -p -- "$(dirname -- "$1")" && tail -c "+$at" .all | head -c "$2" > "$1" || exit 1
  at=$((at + $2))
  shift 2
done
shift
[ "$(wc -c < .all)" -eq "$((at - 1))" ] && rm .all || exit 1
# shellcheck disable=SC3045 # dash, bash and busybox have them
{ ulimit -t 5; ulimit -v 4194304; }
PATH=$PATH:/usr/local/bin:/usr/bin:/bin:/snap/bin
# PWD is set for older versions of Compose; newer ones set it by themselves.
env -i PWD="$folder" DOCKER_CONFIG="$HOME/.docker" "$(command -v docker)" compose "$@"
