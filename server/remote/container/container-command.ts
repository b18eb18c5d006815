import { type Command, command, encodeScript, stdinScript } from '../command.ts'
import type { Docker, HostTarget } from '../host.ts'
import { readScript } from '../../platform/read-script.ts'
import { RemoteTimeout } from '../errors.ts'

/**
 * Runs in the container and waits beside the command, so that kill-marked.sh finds both: it looks for the mark in the
 * first line of the arguments, so this stays one line. Prints the mark first, and to stderr once the command has
 * ended: an exit code without it is that of the Docker client.
 */
const inner = 'echo "$0"; sh -c "$1"; code=$?; echo "$0" >&2; exit "$code"'

export const dockerClientMissing = 99

const runInContainer = readScript('run-in-container.sh')

/** Ends the script in the container, too, when the command is ended. Output before the first line with the mark comes from Docker. */
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

export const markerLine = (mark: string) => `slipway-${mark}\n`

/** Environment variable that marks processes in a container; kill-marked.sh and run-in-container.sh name it, too. */
export const markVariable = 'SLIPWAY_MARK'

const killScript = readScript('kill-marked.sh')

/** The script runs in the container and may hang. */
const timeoutMs = 30_000

/** Throws `DockerError` when nothing can run in the container. */
export async function killMarkedProcesses(docker: Docker, container: string, mark: string): Promise<void> {
  const { Id } = await docker.json<{ Id: string }>({
    method: 'POST',
    path: `/containers/${container}/exec`,
    body: { AttachStdout: true, AttachStderr: true, Cmd: ['sh', '-c', killScript, 'sh', mark] },
  })
  const stream = await docker.stream({
    method: 'POST',
    path: `/exec/${Id}/start`,
    body: { Detach: false, Tty: false },
  })
  const late = setTimeout(
    () =>
      stream.destroy(
        new RemoteTimeout(`Processes in the container did not stop within ${timeoutMs / 1_000} seconds.`),
      ),
    timeoutMs,
  )
  // The script prints nothing, and has exited when the stream ends.
  await stream
    .resume()
    .toArray()
    .finally(() => clearTimeout(late))
}
