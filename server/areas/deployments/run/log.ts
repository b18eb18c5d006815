import type { Trx } from '../../../tables.ts'
import type { Context } from '../../../context.ts'
import { type Instance, updateInstance } from '../../applications/instance.ts'
import { appendOutput, forgetPieces, measureOutput, type NewOutput } from '../../outputs/output.ts'
import type { Deployment } from './deployment.ts'
import { updateDeployment } from './store.ts'

/** Milliseconds for which lines are gathered. */
const writeEvery = 150
/** A piece of one stream, and all that waits to be written. */
const [mostOfPiece, mostWaiting] = [32_768, 131_072]

export interface DeploymentLog {
  /** A line of Slipway's own. */
  say(line: string): void
  /** What a container or work on the server said, and how far it was read for that. */
  hear(stream: NewOutput['stream'], text: string, from?: Heard): void
  /** How far what work on the server says was told. */
  reached(work: string): number
  /** Resolves when there is room for more. */
  room(): Promise<void>
  /** All that was said is written. */
  flush(): Promise<void>
  /** Aborted when it cannot be written: then nobody goes on without a word. */
  signal: AbortSignal
}

type Heard = { instance: Instance; place: string } | NonNullable<Deployment['followed']>

interface Batch {
  some: NewOutput[]
  read: Map<Instance['id'], string>
  followed: Deployment['followed']
  going: LogRow[]
  /** How many lines have gone in all. */
  cut: number
}

/** Writes in batches, by the transaction of whoever holds the lease. The first and the last of too much are kept. */
export async function openLog(
  ctx: Context,
  { workspace_id, id, log_cut, ...of }: Pick<Deployment, 'workspace_id' | 'id' | 'log_cut' | 'followed'>,
  write: (work: (trx: Trx) => Promise<void>) => Promise<void>,
): Promise<DeploymentLog> {
  const failed = new AbortController()
  const ends = new LogEnds(await measureOutput(ctx.db, workspace_id, id))
  let pieces: NewOutput[] = []
  let places: Batch['read'] = new Map()
  let [waiting, cut] = [0, log_cut]
  let { followed } = of
  let heard: Deployment['followed'] = null
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function add(stream: NewOutput['stream'], text: string) {
    const clean = text.replaceAll('\0', '\u{fffd}')
    waiting += clean.length
    const last = pieces.at(-1)
    if (last?.stream === stream && last.text.length + clean.length <= mostOfPiece) last.text += clean
    else pieces.push({ stream, text: clean, at: new Date() })
    timer ??= setTimeout(() => void flush().catch(() => {}), writeEvery)
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const [some, read] = [pieces, places]
    if (some.length > 0) {
      ;[pieces, places, waiting] = [[], new Map(), 0]
      const going = some.flatMap(measure)
      cut += going.reduce((sum, row) => sum + row.lines, 0)
      const batch = { some, read, followed: heard, going, cut }
      heard = null
      writing = writing.then(() => write((trx) => save(trx, batch)))
      writing.catch((error: unknown) => failed.abort(error))
    }
    return writing
  }

  /** The rows in the middle for which this one leaves no room. */
  const measure = ({ text }: NewOutput) =>
    ends.add({ seq: ends.last + 1, bytes: Buffer.byteLength(text), lines: text.split('\n').length - 1 })

  async function save(trx: Trx, { some, read, followed, going, cut }: Batch) {
    await appendOutput(ctx, trx, workspace_id, id, some)
    for (const [instance, log_place] of read) await updateInstance(trx, workspace_id, instance, { log_place })
    if (followed) await updateDeployment(trx, workspace_id, id, { followed: JSON.stringify(followed) })
    if (going.length === 0) return
    const seqs = going.map(({ seq }) => seq)
    await forgetPieces(trx, workspace_id, id, seqs)
    await updateDeployment(trx, workspace_id, id, { log_cut: cut })
  }

  return {
    say: (line) => add('stdout', `${line}\n`),
    hear(stream, text, from) {
      add(stream, text)
      if (from && 'work' in from) followed = heard = from
      else if (from) places.set(from.instance.id, from.place)
    },
    reached: (work) => (followed?.work === work ? followed.offset : 0),
    async room() {
      if (waiting >= mostWaiting) await flush()
    },
    flush,
    signal: failed.signal,
  }
}

/** Bytes that are kept of the beginning, and as many of the end. */
const kept = 1_048_576

interface LogRow {
  seq: number
  bytes: number
  lines: number
}

/** Tells which rows of a log that grows lie between its beginning and its end, and are too many. */
export class LogEnds {
  private head = 0
  private tail: LogRow[] = []
  private tailBytes = 0
  last = 0

  constructor(rows: LogRow[] = []) {
    // What is between them has gone before.
    for (const row of rows) this.add(row)
  }

  /** The rows that go, now that this one is there. */
  add(row: LogRow): LogRow[] {
    this.last = row.seq
    if (this.head < kept) {
      this.head += row.bytes
      return []
    }
    this.tail.push(row)
    this.tailBytes += row.bytes
    const going: LogRow[] = []
    for (let first = this.tail[0]; first && this.tailBytes - first.bytes >= kept; first = this.tail[0]) {
      going.push(first)
      this.tailBytes -= first.bytes
      this.tail.shift()
    }
    return going
  }
}
