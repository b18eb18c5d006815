import { randomBytes, randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { ChunkQueue, MarkedStream } from './detached-output.ts'
import { readScript } from '../platform/read-script.ts'
import { type Command, command, encodeEnvironment, toArgv } from './command.ts'
import { ConnectionLost, RemoteError } from './errors.ts'
import type { Host, RemoteProcess } from './host.ts'

/**
 * A process that keeps running without the connection and without Slipway. Its output is stored in files on the server.
 */
export interface DetachedProcess {
  id: string
  command: Command
  limitSeconds: number
  maxBytes: number
  startAfter?: Promise<unknown>
}

export interface OutputChunk {
  stream: 'stdout' | 'stderr'
  data: Buffer
  offset: number
}

export interface DetachedResult {
  /** Exit code as in a shell: 128 plus the number of the signal for a killed process. Null if unknown. */
  code: number | null
  reason: 'ended' | 'cancelled' | 'timed_out' | 'vanished'
  truncated: boolean
}

interface Offsets {
  stdout: number
  stderr: number
}

interface ResumePoint extends Offsets {
  isStarted?: boolean
}

export class StartFailed extends RemoteError {}

const runScript = readScript('detached/run.sh')
const cancelScript = readScript('detached/cancel.sh')
const removeScript = readScript('detached/remove.sh')

/**
 * Tenths of a second after which a follower yields its SSH session, because a server can run more processes than it has
 * sessions.
 */
const turn = { usual: 10, crowded: 3 }

/**
 * Starts the process unless this ID was started before, so it is safe to repeat after a crash, and follows its output
 * from the offsets. Throws a `RemoteError` when the connection is lost; call again with the offsets reached. Calls
 * `onBegun` right before the start. A caller whose process must not run twice stores that, because the files on the
 * server may be lost.
 */
export async function* runDetached(
  host: Host,
  work: DetachedProcess,
  from: ResumePoint,
  signal: AbortSignal,
  onBegun = () => {},
): AsyncGenerator<OutputChunk, DetachedResult> {
  const position = { ...from, isStarted: from.isStarted === true || from.stdout + from.stderr > 0 }
  for (;;) {
    const end = yield* followOnce(host, work, position, signal, onBegun)
    if (end) return end
  }
}

/** Sends TERM to the process group, and KILL two seconds later. The output stays available. */
export async function cancelDetached(host: Host, id: string): Promise<void> {
  await script(host, cancelScript, id)
}

export async function removeDetached(host: Host, id: string): Promise<void> {
  await script(host, removeScript, id)
}

async function* followOnce(
  host: Host,
  work: DetachedProcess,
  position: Required<ResumePoint>,
  signal: AbortSignal,
  onBegun: () => void,
): AsyncGenerator<OutputChunk, DetachedResult | undefined> {
  const mark = `\x1e${randomUUID()}\x1e`
  const { env, input } = work.command
  const hasPreamble = needsPreamble(work, position)
  if (!hasPreamble) await work.startAfter
  const process = await host.start(command('sh', ...argumentsFor(host, work, position, mark)), { signal })
  if (hasPreamble) await writePreamble(process, encodeEnvironment(env, input), work.startAfter)
  const pieces = new ChunkQueue<OutputChunk>(process)
  let clipped = false
  const pass = (stream: OutputChunk['stream']) => (data: Buffer) => {
    const kept = data.subarray(0, Math.max(0, work.maxBytes - position[stream]))
    clipped ||= kept.length < data.length
    if (kept.length > 0) pieces.add({ stream, data: kept, offset: (position[stream] += kept.length) })
  }
  const out = new MarkedStream(mark, pass('stdout'))
  const errors = new MarkedStream(mark, pass('stderr'))
  process.stdout.on('data', (data: Buffer) => {
    out.take(data)
    if (position.isStarted || !out.begun) return
    position.isStarted = true
    onBegun()
  })
  process.stderr.on('data', (data: Buffer) => errors.take(data))
  try {
    yield* pieces.all(signal)
  } finally {
    process.release()
  }
  return parseResult(out, clipped)
}

/** Only a process that is started gets input; one that is followed gets none. */
const needsPreamble = ({ command: { env, input } }: DetachedProcess, { isStarted }: Required<ResumePoint>) =>
  !isStarted && (env !== undefined || input !== undefined)

/** Sends the environment, which the shell on the server needs before it starts the program. */
async function writePreamble(
  process: RemoteProcess,
  preamble: string,
  after: DetachedProcess['startAfter'],
): Promise<void> {
  try {
    await after
  } catch (error) {
    process.release()
    throw error
  }
  process.stdin.write(preamble)
}

function argumentsFor(
  host: Host,
  work: DetachedProcess,
  position: Required<ResumePoint>,
  mark: string,
): string[] {
  const { command, limitSeconds, maxBytes: most } = work
  const isRoot = host.target.kind === 'ssh' ? host.target.user === 'root' : userInfo().uid === 0
  return [
    '-c',
    runScript,
    'sh',
    checked(work.id),
    position.isStarted ? 'follow' : 'start',
    ...[position.stdout, position.stderr, limitSeconds, Math.ceil((most + 1) / 512)].map(String),
    mark,
    needsPreamble(work, position) ? 'env' : 'plain',
    command.asRoot && !isRoot ? 'sudo' : 'none',
    // The tag is the name of a process, which has at most 15 characters.
    `slipway-${randomBytes(4).toString('hex').slice(1)}`,
    String(host.isCrowded?.() ? turn.crowded : turn.usual),
    ...toArgv(command, { isRoot }),
  ]
}

function parseResult(out: MarkedStream, clipped: boolean): DetachedResult | undefined {
  const [word, ...rest] = (out.trailer ?? '').trim().split(' ')
  if (word === 'more') return undefined
  if (word === 'vanished') return { code: null, reason: 'vanished', truncated: clipped }
  if (word === 'failed') throw toStartFailed(rest.join(' '))
  const [code, reason, cut] = rest
  if (word !== 'ended' || (reason !== 'ended' && reason !== 'cancelled' && reason !== 'timed_out'))
    throw new ConnectionLost(
      'The connection to the server was lost while the output of the command was read.',
    )
  return { code: code === '-' ? null : Number(code), reason: reason, truncated: clipped || cut === 'cut' }
}

const toStartFailed = (output: string) =>
  new StartFailed(
    /no space left/i.test(output)
      ? 'The command could not start because the disk of the server is full. Free up space, then try again.'
      : `The server could not start the command: ${output.split('\n').at(-1)}.`,
  )

async function script(host: Host, text: string, id: string) {
  const { code, stderr } = await host.run(command('sh', '-c', text, 'sh', checked(id)))
  if (code !== 0)
    throw new RemoteError(`The command failed on the server: ${stderr.trim() || `exit code ${code}`}.`)
}

function checked(id: string): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id)) throw new Error(`“${id}” is not a valid ID of a command.`)
  return id
}
