import { RemoteTimeout } from '../errors.ts'
import { readScript } from '../../platform/read-script.ts'
import type { Docker } from '../host.ts'

/** Environment variable that marks processes in a container; kill-marked.sh and run-in-container.sh name it, too. */
export const markVariable = 'SLIPWAY_MARK'

export const killScript = readScript('kill-marked.sh')

/** What is run there is the container's own, and may never end. */
const patience = 30_000

/** Ends all that carries the mark in a container. Throws `DockerError` when nothing can be run there. */
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
        new RemoteTimeout(`Processes in the container did not stop within ${patience / 1_000} seconds.`),
      ),
    patience,
  )
  // It says nothing; but it has ended when there is no more to read.
  await said
    .resume()
    .toArray()
    .finally(() => clearTimeout(late))
}
