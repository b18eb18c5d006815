import { RemoteTimeout } from '../errors.ts'
import { readScript } from '../../platform/read-script.ts'
import type { Docker } from '../host.ts'

/** Environment variable that marks processes in a container; kill-marked.sh and run-in-container.sh name it, too. */
export const markVariable = 'SLIPWAY_MARK'

export const killScript = readScript('kill-marked.sh')

/** The script runs in the container and may hang. */
const timeoutMs = 30_000

/** Throws `DockerError` when nothing can run in the container. */
export async function killMarkedProcesses(docker: Docker, container: string, mark: string): Promise<void> {
  const { Id } = await docker.json<{ Id: string }>({
    method: 'POST',
    path: `/containers/${container}/exec`,
    body: { AttachStdout: true, AttachStderr: true, Cmd: ['sh', '-c', killScript, 'sh', mark] },
  })
  const said = await docker.stream({
    method: 'POST',
    path: `/exec/${Id}/start`,
    body: { Detach: false, Tty: false },
  })
  const late = setTimeout(
    () =>
      said.destroy(
        new RemoteTimeout(`Processes in the container did not stop within ${timeoutMs / 1_000} seconds.`),
      ),
    timeoutMs,
  )
  // The script prints nothing, and has exited when the stream ends.
  await said
    .resume()
    .toArray()
    .finally(() => clearTimeout(late))
}
