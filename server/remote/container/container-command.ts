import { type Command, command, encodeScript, stdinScript } from '../command.ts'
import type { Docker, HostTarget } from '../host.ts'
import { readScript } from '../../platform/read-script.ts'
import { RemoteTimeout } from '../errors.ts'

/**
 * The shell in the container runs the command and waits beside it, so that kill-marked.sh finds both. That script looks
 * for the mark in the first line of the arguments, so this must stay one line. The shell prints the mark first, and
 * again to stderr when the command has ended: an exit code without the second mark is that of the Docker client.
 */
const inner = 'echo "$0"; sh -c "$1"; code=$?; echo "$0" >&2; exit "$code"'

export const dockerClientMissing = 99

const runInContainer = readScript('run-in-container.sh')

/**
 * Returns a command that runs a script in a container, and ends the script there when the command is ended. Output
 * before the first line with the mark comes from Docker.
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

export const markerLine = (mark: string) => `slipway-${mark}\n`

/**
 * Environment variable that marks processes in a container. kill-marked.sh and run-in-container.sh use the same name.
 */
export const markVariable = 'SLIPWAY_MARK'

const killScript = readScript('kill-marked.sh')

/** The script runs in the container, where it may hang. */
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
  // The script prints nothing, so the end of the stream means that it has exited.
  await stream
    .resume()
    .toArray()
    .finally(() => clearTimeout(late))
}
