import { randomBytes, randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { Marked } from './detached/marked.ts'
import { Pieces } from './detached/pieces.ts'
import { cancelScript, removeScript, workScript } from './detached/script.ts'
import { type Command, command, wordsOf } from './command.ts'
import { preambleOf } from './environment.ts'
import { Lost, RemoteError } from './errors.ts'
import type { Host, Process } from './host.ts'

/** Long work that goes on without the connection, and without Slipway; what it says waits on the server. */
export interface Work {
  id: string
  command: Command
  /** Killed after so long. */
  limitSeconds: number
  /** Bytes of each stream that are kept. */
  most: number
  /** It is not begun before this. */
  after?: Promise<unknown>
}

export interface Piece {
  stream: 'stdout' | 'stderr'
  data: Buffer
  /** Where the next piece of this stream begins. */
  offset: number
}

export interface Finish {
  /** As a shell gives it: 128 and the signal's number when one ended it. Null when nobody knows. */
  code: number | null
  /** Vanished: it is gone without having ended, as after a power cut. */
  why: 'ended' | 'cancelled' | 'timed_out' | 'vanished'
  truncated: boolean
}

interface Offsets {
  stdout: number
  stderr: number
}

/** How far whoever follows it had come. */
interface From extends Offsets {
  /** It is never started, only followed: when nothing of it is left there it has vanished. */
  begun?: boolean
}

/** The server said that it did not even start it. */
export class NotStarted extends RemoteError {}

/** Tenths of a second after which a follower gives its session back: a server can run more than it has sessions. */
const turn = { usual: 10, crowded: 3 }

/**
 * Starts it unless it was started before under this id (safe to call again after a crash), and follows from the offsets.
 * Throws `Lost` or its kin when the connection goes; call it again with the offsets reached. Calls `onBegun` when the
 * server is about to start it: who must not run it twice remembers that, as what lies on the server may be lost.
 */
export async function* runDetached(
  host: Host,
  work: Work,
  from: From,
  signal: AbortSignal,
  onBegun = () => {},
): AsyncGenerator<Piece, Finish> {
  const at = { ...from, begun: from.begun === true || from.stdout + from.stderr > 0 }
  for (;;) {
    const end = yield* followOnce(host, work, at, signal, onBegun)
    if (end) return end
  }
}

/** TERM to the whole process group, KILL after two seconds. What it said until then is kept, and can be followed. */
export async function cancelDetached(host: Host, id: string): Promise<void> {
  await script(host, cancelScript, id)
}

/** Forgets what it said, and all. */
export async function removeDetached(host: Host, id: string): Promise<void> {
  await script(host, removeScript, id)
}

/** Follows until it ends, or for one turn; `at` moves along. */
async function* followOnce(
  host: Host,
  work: Work,
  at: Required<From>,
  signal: AbortSignal,
  onBegun: () => void,
): AsyncGenerator<Piece, Finish | undefined> {
  const mark = `\x1e${randomUUID()}\x1e`
  const { env, input } = work.command
  const hasPreamble = needsPreamble(work, at)
  if (!hasPreamble) await work.after
  const process = await host.start(command('sh', ...argumentsFor(host, work, at, mark)), { signal })
  if (hasPreamble) await letBegin(process, preambleOf(env, input), work.after)
  const pieces = new Pieces<Piece>(process)
  let clipped = false
  const pass = (stream: Piece['stream']) => (data: Buffer) => {
    const kept = data.subarray(0, Math.max(0, work.most - at[stream]))
    clipped ||= kept.length < data.length
    if (kept.length > 0) pieces.add({ stream, data: kept, offset: (at[stream] += kept.length) })
  }
  const out = new Marked(mark, pass('stdout'))
  const errors = new Marked(mark, pass('stderr'))
  process.stdout.on('data', (data: Buffer) => {
    out.take(data)
    if (at.begun || !out.begun) return
    at.begun = true
    onBegun()
  })
  process.stderr.on('data', (data: Buffer) => errors.take(data))
  try {
    yield* pieces.all(signal)
  } finally {
    process.release()
  }
  return finishOf(out, clipped)
}

/** What is only followed is given nothing. */
const needsPreamble = ({ command: { env, input } }: Work, { begun }: Required<From>) =>
  !begun && (env !== undefined || input !== undefined)

/** The shell is there and waits for the variables of the program meanwhile: without them it begins nothing. */
async function letBegin(process: Process, preamble: string, after: Work['after']): Promise<void> {
  try {
    await after
  } catch (error) {
    process.release()
    throw error
  }
  process.stdin.write(preamble)
}

function argumentsFor(host: Host, work: Work, at: Required<From>, mark: string): string[] {
  const { command, limitSeconds, most } = work
  const isRoot = host.target.kind === 'ssh' ? host.target.user === 'root' : userInfo().uid === 0
  return [
    '-c',
    workScript,
    'sh',
    checked(work.id),
    at.begun ? 'follow' : 'start',
    ...[at.stdout, at.stderr, limitSeconds, Math.ceil((most + 1) / 512)].map(String),
    mark,
    needsPreamble(work, at) ? 'env' : 'plain',
    command.asRoot && !isRoot ? 'sudo' : 'none',
    // The longest name that a process can have is 15 characters.
    `slipway-${randomBytes(4).toString('hex').slice(1)}`,
    String(host.crowded?.() ? turn.crowded : turn.usual),
    ...wordsOf(command, { isRoot }),
  ]
}

/** Undefined when only the turn is over. */
function finishOf(out: Marked, clipped: boolean): Finish | undefined {
  const [word, ...rest] = (out.trailer ?? '').trim().split(' ')
  if (word === 'more') return undefined
  if (word === 'vanished') return { code: null, why: 'vanished', truncated: clipped }
  if (word === 'failed') throw notStarted(rest.join(' '))
  const [code, why, cut] = rest
  if (word !== 'ended' || (why !== 'ended' && why !== 'cancelled' && why !== 'timed_out'))
    throw new Lost('The server broke off while it was followed.')
  return { code: code === '-' ? null : Number(code), why, truncated: clipped || cut === 'cut' }
}

const notStarted = (said: string) =>
  new NotStarted(
    /no space left/i.test(said)
      ? 'The disk of the server is full, so it could not be started. Free some space there, then try again.'
      : `The server could not start it: ${said.split('\n').at(-1)}.`,
  )

async function script(host: Host, text: string, id: string) {
  const { code, stderr } = await host.run(command('sh', '-c', text, 'sh', checked(id)))
  if (code !== 0)
    throw new RemoteError(`The server could not do that: ${stderr.trim() || `it ended with ${code}`}.`)
}

function checked(id: string): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id)) throw new Error(`“${id}” cannot be the id of work on a server.`)
  return id
}
