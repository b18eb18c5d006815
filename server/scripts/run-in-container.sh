# Runs a script in a container, and ends it there when this script receives TERM, because Docker keeps a program running
# after its client has ended. The client, and the process that ends it, have sessions of their own, because this process
# group is killed two seconds after TERM.
#
#   sh -c SCRIPT sh DOCKER_HOST CONTAINER MARK INNER_SCRIPT KILL_SCRIPT STDIN_SCRIPT
#
# Exits with 99 if the server has no Docker client.
command -v docker >/dev/null 2>&1 || exit 99
docker_host=$1 container=$2 mark=$3 inner_script=$4 kill_script=$5 stdin_script=$6 client='' asked=''
# A background process has no input unless its input is redirected.
exec 3<&0
# Repeats while the client waits: the program in the container may only be starting, or be paused.
# shellcheck disable=SC2016 # expanded by the other shell
kill_until_exit='client=$1
shift
while kill -0 "$client"; do
  "$@"
  sleep 0.5 || sleep 1
done'
end() {
  setsid sh -c "$kill_until_exit" sh "$client" docker --host "$docker_host" exec "$container" sh -c "$kill_script" sh "$mark" </dev/null >/dev/null 2>&1 &
}
trap 'asked=1; [ -z "$client" ] || end' TERM
setsid docker --host "$docker_host" exec --interactive --env "SLIPWAY_MARK=$mark" "$container" sh -c "$inner_script" "slipway-$mark" "$stdin_script" <&3 3<&- &
client=$!
exec 3<&-
[ -z "$asked" ] || end
wait "$client"
code=$?
[ -z "$asked" ] || { wait "$client"; code=$?; }
exit "$code"
