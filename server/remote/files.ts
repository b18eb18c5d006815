import { isAbsolute } from 'node:path/posix'
import { readScript } from '../platform/read-script.ts'
import type { Command } from './command.ts'
import { FileMissing, RemoteError } from './errors.ts'
import type { Files, RunOptions } from './host.ts'
import type { RawOutput } from './process.ts'

const missing = 44

const readFileScript = `[ -e "$1" ] || exit ${missing}; exec cat -- "$1"`

const writeScript = readScript('write-file.sh')

type Run = (command: Command, options?: RunOptions) => Promise<RawOutput>

/** Reads and writes files on a server with commands, because SFTP may be disabled. */
export function createFiles(run: Run): Files {
  async function script(text: string, args: string[], options: RunOptions & { asRoot?: boolean } = {}) {
    const [path = ''] = args
    if (!isAbsolute(path)) throw new Error(`“${path}” is not an absolute path.`)
    const { asRoot, ...rest } = options
    return run({ program: 'sh', args: ['-c', text, 'sh', ...args], asRoot }, rest)
  }

  return {
    async read(path, most = 16 * 1024 * 1024) {
      const result = await script(readFileScript, [path], { maxBytes: most + 1 })
      if (result.code === missing) throw new FileMissing(`The file ${path} does not exist on the server.`)
      if (result.code !== 0) throw failed(`${path} could not be read`, result)
      if (result.stdout.length > most)
        throw new RemoteError(`${path} on the server is larger than ${most} bytes.`)
      return result.stdout
    },
    async write(path, content, { mode = 0o644, asRoot = false } = {}) {
      const input = Buffer.from(content)
      const args = [path, mode.toString(8), String(input.length)]
      const result = await script(writeScript, args, { input, asRoot, timeout: 120_000 })
      if (result.code !== 0) throw failed(`${path} could not be written`, result)
    },
    async remove(path) {
      const result = await script('exec rm -f -- "$1"', [path])
      if (result.code !== 0) throw failed(`${path} could not be removed`, result)
    },
  }
}

const failed = (what: string, { stderr, code }: RawOutput) =>
  new RemoteError(
    `${what} on the server: ${stderr.toString().trim().split('\n').at(-1) || `exit code ${code}`}.`,
  )
