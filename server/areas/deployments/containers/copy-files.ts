import { Readable } from 'node:stream'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import type { ContainerFile } from '../../compose/container-files.ts'
import { DeploymentFailed, isTransientDockerError } from '../run/deployment-run.ts'

export async function putFiles(docker: Docker, id: string, files: ContainerFile[]): Promise<void> {
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
    if (!(error instanceof DockerError) || isTransientDockerError(error) || error.status === 404) throw error
    const paths = files.map(({ path }) => path).join(', ')
    // The message of Docker may quote the file contents, so it is not shown.
    if (!isReadOnly.test(error.message))
      throw new DeploymentFailed(
        `Docker could not copy ${paths} into the container (status ${error.status}). Check the secrets and configs of the service and the free disk space on the server.`,
      )
    throw new DeploymentFailed(
      `${paths} cannot be copied into a container with a read-only file system. Remove read_only from the compose file, or provide the secrets and configs as files in the application folder.`,
    )
  }
}

const isReadOnly = /read-only/i

const blockSize = 512
const [mostOfName, mostOfPrefix] = [100, 155]

const writeTar = (files: readonly ContainerFile[]): Buffer =>
  Buffer.concat([...files.flatMap(blocksOf), Buffer.alloc(2 * blockSize)])

function blocksOf(file: ContainerFile): Buffer[] {
  const content = Buffer.from(file.content)
  const rest = (blockSize - (content.length % blockSize)) % blockSize
  return [headerOf(file, content.length), content, Buffer.alloc(rest)]
}

function headerOf({ path, mode, uid, gid }: ContainerFile, size: number): Buffer {
  const header = Buffer.alloc(blockSize)
  const { prefix, name } = split(path)
  header.write(name, 0)
  number(header, mode & 0o7777, 100, 8)
  number(header, uid, 108, 8)
  number(header, gid, 116, 8)
  number(header, size, 124, 12)
  number(header, 0, 136, 12)
  header.write('0ustar\x0000', 156)
  header.write(prefix, 345)
  // The checksum is computed with spaces in its field.
  header.fill(' ', 148, 156)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Octal digits, or the GNU binary format for larger values. */
function number(header: Buffer, value: number, at: number, width: number): void {
  const digits = value.toString(8).padStart(width - 1, '0')
  if (digits.length < width) header.write(digits, at)
  else {
    header[at] = 0x80
    header.writeUIntBE(value, at + width - 6, 6)
  }
}

function split(path: string): { prefix: string; name: string } {
  const bytes = Buffer.from(path.replace(/^\/+/, ''))
  if (bytes.length <= mostOfName) return { prefix: '', name: bytes.toString() }
  const slash = bytes.indexOf('/', bytes.length - mostOfName - 1)
  if (slash < 1 || slash > mostOfPrefix)
    throw new DeploymentFailed(`The path ${path} is too long for a secret or config. Choose a shorter path.`)
  return { prefix: bytes.subarray(0, slash).toString(), name: bytes.subarray(slash + 1).toString() }
}
