import { type Command, command } from '../command.ts'
import { encodeScript, stdinScript } from '../shell-command.ts'
import type { HostTarget } from '../host.ts'
import { killScript, markVariable } from './kill-marked.ts'

/**
 * In the container. It stays beside the command, so that what it began can be found. It says first that it is there; and
 * at the end of stderr that the command has ended by itself: without that, what Docker's client ends with is its own.
 */
const inner = 'echo "$0"; sh -c "$1"; code=$?; echo "$0" >&2; exit "$code"'

/** Ends what Docker's client waits for, for as long as it does: it may only just begin there, or be paused. */
const ending = `client=$1
shift
while kill -0 "$client"; do
  "$@"
  sleep 0.5 || sleep 1
done`

/** There is no client of Docker on the server. */
export const dockerClientMissing = 99

/*
 * On the server, constant as well. The client's death would leave what it began in the container. Both it and what ends
 * that have sessions of their own: this group is killed two seconds after it was asked to end.
 */
const outer = `command -v docker >/dev/null 2>&1 || exit ${dockerClientMissing}
socket=$1 container=$2 mark=$3 inner=$4 endscript=$5 ending=$6 reading=$7 client= asked=
# What runs in the background has no input but the one that it is told to take.
exec 3<&0
end() {
  setsid sh -c "$ending" sh "$client" docker --host "$socket" exec "$container" sh -c "$endscript" sh "$mark" </dev/null >/dev/null 2>&1 &
}
trap 'asked=1; [ -z "$client" ] || end' TERM
setsid docker --host "$socket" exec --interactive --env "${markVariable}=$mark" "$container" sh -c "$inner" "slipway-$mark" "$reading" <&3 3<&- &
client=$!
exec 3<&-
[ -z "$asked" ] || end
wait "$client"
code=$?
[ -z "$asked" ] || { wait "$client"; code=$?; }
exit "$code"`

/**
 * Has the shell of a container read a text, as detached work that is ended there as well when it is ended. The first line
 * that it says is the mark, by which one knows that it came that far: without it all that was said are Docker's words.
 */
export function commandInContainer(
  target: HostTarget,
  container: string,
  mark: string,
  text: string,
): Command {
  const socket = target.kind === 'local' ? target.dockerSocket : '/var/run/docker.sock'
  const args = [`unix://${socket}`, container, mark, inner, killScript, ending, stdinScript]
  return { ...command('sh', '-c', outer, 'sh', ...args), input: encodeScript(text) }
}

/** What it says first; and last, to stderr, when the command has ended. */
export const markerLine = (mark: string) => `slipway-${mark}\n`
