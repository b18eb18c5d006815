import type { Db, Trx } from '../../../tables.ts'
import type { Context } from '../../../context.ts'
import { type Instance, updateInstance } from '../../applications/instance.ts'
import { appendOutput, deletePieces, measureOutput, type NewOutput } from '../../outputs/output.ts'
import type { Deployment } from './deployment.ts'
import { updateDeployment } from './store.ts'
import { sql } from 'kysely'

const flushDelay = 150
const [mostOfPiece, mostWaiting] = [32_768, 131_072]

export interface DeploymentLog {
  write(line: string): void
  /** Appends output of a container or detached work, with the position up to which it was read. */
  append(stream: NewOutput['stream'], text: string, from?: OutputPosition): void
  offsetOf(work: string): number
  waitForCapacity(): Promise<void>
  flush(): Promise<void>
  /** Aborted when writing fails, so that no deployment continues without a log. */
  signal: AbortSignal
}

type OutputPosition = { instance: Instance; place: string } | NonNullable<Deployment['followed']>

interface LogBatch {
  some: NewOutput[]
  read: Map<Instance['id'], string>
  followed: Deployment['followed']
  going: LogRow[]
  cut: number
}

/** Transactions check the lease. Keeps the beginning and the end of a log that is too long. */
export async function openDeploymentLog(
  ctx: Context,
  { workspace_id, id, log_cut, ...of }: Pick<Deployment, 'workspace_id' | 'id' | 'log_cut' | 'followed'>,
  write: (work: (trx: Trx) => Promise<void>) => Promise<void>,
): Promise<DeploymentLog> {
  const failed = new AbortController()
  const ends = new LogTrimmer(await measureOutput(ctx.db, workspace_id, id))
  let pieces: NewOutput[] = []
  let places: LogBatch['read'] = new Map()
  let [waiting, cut] = [0, log_cut]
  let { followed } = of
  let unsavedPosition: Deployment['followed'] = null
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function add(stream: NewOutput['stream'], text: string) {
    const clean = text.replaceAll('\0', '\u{fffd}')
    waiting += clean.length
    const last = pieces.at(-1)
    if (last?.stream === stream && last.text.length + clean.length <= mostOfPiece) last.text += clean
    else pieces.push({ stream, text: clean, at: new Date() })
    timer ??= setTimeout(() => void flush().catch(() => {}), flushDelay)
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const [some, read] = [pieces, places]
    if (some.length > 0) {
      ;[pieces, places, waiting] = [[], new Map(), 0]
      const going = some.flatMap(measure)
      cut += going.reduce((sum, row) => sum + row.lines, 0)
      const batch = { some, read, followed: unsavedPosition, going, cut }
      unsavedPosition = null
      writing = writing.then(() => write((trx) => save(trx, batch)))
      writing.catch((error: unknown) => failed.abort(error))
    }
    return writing
  }

  const measure = ({ text }: NewOutput) =>
    ends.add({ seq: ends.last + 1, bytes: Buffer.byteLength(text), lines: text.split('\n').length - 1 })

  async function save(trx: Trx, { some, read, followed, going, cut }: LogBatch) {
    await appendOutput(ctx, trx, workspace_id, id, some)
    for (const [instance, log_place] of read) await updateInstance(trx, workspace_id, instance, { log_place })
    if (followed) await updateDeployment(trx, workspace_id, id, { followed: JSON.stringify(followed) })
    if (going.length === 0) return
    const seqs = going.map(({ seq }) => seq)
    await deletePieces(trx, workspace_id, id, seqs)
    await updateDeployment(trx, workspace_id, id, { log_cut: cut })
  }

  return {
    write: (line) => add('stdout', `${line}\n`),
    append(stream, text, from) {
      add(stream, text)
      if (from && 'work' in from) followed = unsavedPosition = from
      else if (from) places.set(from.instance.id, from.place)
    },
    offsetOf: (work) => (followed?.work === work ? followed.offset : 0),
    async waitForCapacity() {
      if (waiting >= mostWaiting) await flush()
    },
    flush,
    signal: failed.signal,
  }
}

const keptBytes = 1_048_576

interface LogRow {
  seq: number
  bytes: number
  lines: number
}

export class LogTrimmer {
  private head = 0
  private tail: LogRow[] = []
  private tailBytes = 0
  last = 0

  constructor(rows: LogRow[] = []) {
    for (const row of rows) this.add(row)
  }

  add(row: LogRow): LogRow[] {
    this.last = row.seq
    if (this.head < keptBytes) {
      this.head += row.bytes
      return []
    }
    this.tail.push(row)
    this.tailBytes += row.bytes
    const going: LogRow[] = []
    for (let first = this.tail[0]; first && this.tailBytes - first.bytes >= keptBytes; first = this.tail[0]) {
      going.push(first)
      this.tailBytes -= first.bytes
      this.tail.shift()
    }
    return going
  }
}

const keptLogs = { deployments: 50, days: 30 }

const batchSize = 100

export async function deleteOldLogs(db: Db, signal: AbortSignal): Promise<void> {
  let deleted: bigint | undefined
  do {
    signal.throwIfAborted()
    const { numAffectedRows } = await sql`
      with old as (
        select id from (
          select id, finished_at, log_deleted_at,
            row_number() over (partition by application_id order by id desc) as place
          from deployments
        ) as ranked
        where place > ${keptLogs.deployments} and log_deleted_at is null
          and finished_at < now() - make_interval(days => ${keptLogs.days})
        limit ${batchSize}
      ), gone as (delete from outputs where source in (select id from old))
      update deployments set log_deleted_at = now() where id in (select id from old)`.execute(db)
    deleted = numAffectedRows
  } while (deleted === BigInt(batchSize))
}
