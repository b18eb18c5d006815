import { type Command, command } from '../command.ts'
import { encodeScript, stdinScript } from '../shell-command.ts'
import type { HostTarget } from '../host.ts'
import { killScript } from './kill-marked.ts'
import { readScript } from '../../platform/read-script.ts'

/**
 * Runs in the container and waits beside the command, so that kill-marked.sh finds both: it looks for the mark in the
 * first line of the arguments, so this stays one line. Prints the mark first, and to stderr once the command has
 * ended: an exit code without it is that of the Docker client.
 */
const inner = 'echo "$0"; sh -c "$1"; code=$?; echo "$0" >&2; exit "$code"'

/** Exit code of run-in-container.sh on a server without Docker client. */
export const dockerClientMissing = 99

const runInContainer = readScript('run-in-container.sh')

/**
 * Creates the command that runs a script in the shell of a container, and ends it there when the command is ended.
 * Output before the first line with the mark comes from Docker.
 */
export function commandInContainer(
  target: HostTarget,
  container: string,
  mark: string,
  text: string,
): Command {
  const socket = target.kind === 'local' ? target.dockerSocket : '/var/run/docker.sock'
  const args = [`unix://${socket}`, container, mark, inner, killScript, stdinScript]
  return { ...command('sh', '-c', runInContainer, 'sh', ...args), input: encodeScript(text) }
}

/** Printed first, and last on stderr when the command has exited. */
export const markerLine = (mark: string) => `slipway-${mark}\n`
