import { Readable } from 'node:stream'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import type { GivenFile } from '../compose/files.ts'
import { Failed } from './attempt.ts'
import { isPassing } from './hold-out.ts'
import { writeTar } from './tar.ts'

/** Puts files into a container that was made and does not run yet; folders that are missing are made. Safe to do again. */
export async function putFiles(docker: Docker, id: string, files: GivenFile[]): Promise<void> {
  try {
    const answer = await docker.stream({
      method: 'PUT',
      path: `/containers/${id}/archive?path=%2F`,
      headers: { 'content-type': 'application/x-tar' },
      input: Readable.from([writeTar(files)]),
      timeout: 60_000,
    })
    await answer.toArray()
  } catch (error) {
    if (!(error instanceof DockerError) || isPassing(error) || error.status === 404) throw error
    const paths = files.map(({ path }) => path).join(', ')
    // Nothing that Docker says of them is told on: it may quote what is in them.
    if (!isReadOnly.test(error.message))
      throw new Failed(
        `${paths} could not be put into the container: Docker refused with status ${error.status}. Look at the secrets and configs of the service, and at the space that is left on the server.`,
      )
    throw new Failed(
      `${paths} cannot be put into a container whose file system is read-only. Take read_only out of the compose file, or give the secrets and configs as a file of the application’s folder.`,
    )
  }
}

const isReadOnly = /read-only/i
