import { randomBytes } from 'node:crypto'
import { quoteVariable } from '../../contract/shared/dotenv.ts'
import { readScript } from '../platform/read-script.ts'
import { command } from './command.ts'
import { RemoteError } from './errors.ts'
import type { CommandOutput, Host } from './host.ts'

/** Input of Docker Compose, which reads no other files of the server unless a file names them by absolute path. */
export interface ComposeConfigInput {
  project: string
  folder: string
  /** Texts by relative path. Compose reads `compose.yaml`; the other files are those that it refers to. */
  files: Record<string, string>
  env: string
  profiles: readonly string[]
}

export interface ComposeOutput {
  /** The configuration, resolved, interpolated and in long form. Every `$` in it is doubled. */
  config: unknown
  warnings: string[]
}

export class ComposeRejected extends RemoteError {
  /** Line of `compose.yaml`, if Compose reports one. For unparsable files it is often one too low. */
  readonly line: number | undefined
  constructor(message: string) {
    super(message)
    const line = /^yaml: (?:unmarshal errors:\s+)?line (\d+)/.exec(message)?.[1]
    this.line = line === undefined ? undefined : Number(line)
  }
}

export class ComposeNotInstalled extends RemoteError {}

const MAX_OUTPUT = 20 * 1024 * 1024
const LIMIT = 20_000

const composeScript = readScript('compose-config.sh')

export async function readComposeConfig(
  host: Host,
  input: ComposeConfigInput,
  signal?: AbortSignal,
): Promise<ComposeOutput> {
  const folder = `/tmp/slipway-compose-${randomBytes(12).toString('hex')}`
  const files = Object.entries({ ...input.files, '.env': input.env }).map(([name, text]) => ({
    name: assertRelativePath(name),
    content: Buffer.from(text),
  }))
  const sizes = files.flatMap(({ name, content }) => [name, String(content.length)])
  const output = await host.run(
    command('sh', '-c', composeScript, 'sh', folder, ...sizes, '/', ...composeArguments(input, folder)),
    {
      input: Buffer.concat(files.map(({ content }) => content)),
      signal,
      timeout: LIMIT,
      maxBytes: MAX_OUTPUT + 1,
    },
  )
  if (output.code !== 0) throw toComposeError(output, folder)
  if (Buffer.byteLength(output.stdout) > MAX_OUTPUT)
    throw new ComposeRejected('The resolved compose file is larger than 20 MB. Make it smaller.')
  const text = output.stdout.replaceAll(folder, () => escapeJson(input.folder))
  return { config: JSON.parse(text), warnings: warningsIn(output.stderr) }
}

const composeArguments = ({ project, profiles }: ComposeConfigInput, folder: string): string[] => [
  '--project-name',
  project,
  '--project-directory',
  folder,
  '--env-file',
  `${folder}/.env`,
  '--file',
  `${folder}/compose.yaml`,
  ...profiles.flatMap((profile) => ['--profile', profile]),
  'config',
  '--format',
  'json',
]

function assertRelativePath(name: string): string {
  if (
    name.startsWith('/') ||
    name.startsWith('-') ||
    name.split('/').some((part) => part === '..' || part === '')
  )
    throw new ComposeRejected(`“${name}” is not the path of a file in the application folder.`)
  return name
}

const escapeJson = (text: string) => JSON.stringify(text).slice(1, -1)

function toComposeError({ code, stderr }: CommandOutput, folder: string): RemoteError {
  const output = stderr
    .split('\n')
    .filter((line) => !WARNING.test(line))
    .join('\n')
    .replaceAll(`${folder}/`, '')
    .replaceAll(folder, '.')
    .trim()
  if (code === 125 || code === 127 || output.includes('is not a docker command'))
    return new ComposeNotInstalled(
      'Docker Compose is not installed on this server. Install it, or run setup again.',
    )
  if (output === '' || /^(runtime|fatal error|SIG[A-Z]+)\b/m.test(output))
    return new ComposeRejected(
      'Docker Compose used too much time or memory to read the file and was stopped. Check for aliases that are repeated many times.',
    )
  return new ComposeRejected(withoutValues(output))
}

/** Removes values from the message, because Compose quotes parts of a malformed .env file, which may be secret. */
const withoutValues = (output: string) => output.replace(/(unterminated quoted value|near) ".*$/s, '$1')

const WARNING = /^time="[^"]*" level=warning msg=(".*")$/

/** Compose repeats warnings, so duplicates are removed. */
function warningsIn(stderr: string): string[] {
  const warnings = stderr.split('\n').flatMap((line) => WARNING.exec(line)?.[1] ?? [])
  return [...new Set(warnings.map((quoted) => quoted.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')))]
}

export const readComposeVersion = (host: Host, signal?: AbortSignal): Promise<string | null> =>
  readVersion(host, ['compose', 'version', '--short'], signal)

export const readBuildxVersion = (host: Host, signal?: AbortSignal): Promise<string | null> =>
  readVersion(host, ['buildx', 'version'], signal)

/** buildx prints its module path before the version. */
const VERSION = /^(?:\S+\/buildx )?v?(\d+\.\d+[\w.+~-]*)(?:\s|$)/

/** The PATH of a non-login session may lack these folders. */
const dockerScript = 'PATH="$PATH:/usr/local/bin:/usr/bin:/bin:/snap/bin" exec docker "$@"'

async function readVersion(host: Host, words: string[], signal?: AbortSignal): Promise<string | null> {
  const { code, stdout } = await host.run(command('sh', '-c', dockerScript, 'sh', ...words), {
    signal,
    maxBytes: 1_000,
  })
  const version = VERSION.exec(stdout)?.[1]
  return code === 0 && version !== undefined ? version.slice(0, 100) : null
}

export const formatDotenv = (pairs: readonly { key: string; value: string }[]): string =>
  pairs.map(({ key, value }) => `${key}=${quoteVariable(value)}\n`).join('')
