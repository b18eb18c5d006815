import type { Trx } from '../../../tables.ts'
import type { Context } from '../../../context.ts'
import { type Instance, updateInstance } from '../../applications/instance.ts'
import {
  appendOutput,
  deletePieces,
  type LogRow,
  LogTrimmer,
  measureOutput,
  type NewOutput,
} from '../../outputs/output.ts'
import { type Deployment, updateDeployment } from './deployment.ts'

const flushDelay = 150
const [maxPieceLength, maxWaitingLength] = [32_768, 131_072]

export interface DeploymentLog {
  write(line: string): void
  /** Appends output of a container or detached work, with the position up to which it was read. */
  append(stream: NewOutput['stream'], text: string, from: OutputPosition): void
  offsetOf(work: string): number
  waitForCapacity(): Promise<void>
  flush(): Promise<void>
  /** Aborted when writing fails, so that no deployment continues without a log. */
  signal: AbortSignal
}

type OutputPosition = { instance: Instance; place: string } | NonNullable<Deployment['followed']>

interface UnsavedOutput {
  output: NewOutput[]
  read: Map<Instance['id'], string>
  followed: Deployment['followed']
  dropped: LogRow[]
  droppedLines: number
}

/** Opens the log. Of a log that is too long, the beginning and the end are kept. `write` checks the lease. */
export async function openDeploymentLog(
  ctx: Context,
  { workspace_id, id, log_cut, ...of }: Pick<Deployment, 'workspace_id' | 'id' | 'log_cut' | 'followed'>,
  write: (work: (trx: Trx) => Promise<void>) => Promise<void>,
): Promise<DeploymentLog> {
  const failed = new AbortController()
  const trimmer = new LogTrimmer(await measureOutput(ctx.db, workspace_id, id))
  let pieces: NewOutput[] = []
  let positions: UnsavedOutput['read'] = new Map()
  let [waiting, droppedLines] = [0, log_cut]
  let { followed } = of
  let unsavedPosition: Deployment['followed'] = null
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function add({ stream, origin, text }: NewOutput) {
    const clean = text.replaceAll('\0', '\u{fffd}')
    waiting += clean.length
    const last = pieces.at(-1)
    if (
      last?.stream === stream &&
      last.origin === origin &&
      last.text.length + clean.length <= maxPieceLength
    )
      last.text += clean
    else pieces.push({ stream, origin, text: clean, at: new Date() })
    timer ??= setTimeout(() => void flush().catch(() => {}), flushDelay)
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const [output, read] = [pieces, positions]
    if (output.length > 0) {
      ;[pieces, positions, waiting] = [[], new Map(), 0]
      const dropped = output.flatMap(measure)
      droppedLines += dropped.reduce((sum, row) => sum + row.lines, 0)
      const batch = { output, read, followed: unsavedPosition, dropped, droppedLines }
      unsavedPosition = null
      writing = writing.then(() => write((trx) => save(trx, batch)))
      writing.catch((error: unknown) => failed.abort(error))
    }
    return writing
  }

  const measure = ({ text }: NewOutput) =>
    trimmer.add({ seq: trimmer.last + 1, bytes: Buffer.byteLength(text), lines: text.split('\n').length - 1 })

  async function save(trx: Trx, { output, read, followed, dropped, droppedLines }: UnsavedOutput) {
    await appendOutput(ctx, trx, workspace_id, id, output)
    for (const [instance, log_place] of read) await updateInstance(trx, workspace_id, instance, { log_place })
    if (followed) await updateDeployment(trx, workspace_id, id, { followed: JSON.stringify(followed) })
    if (dropped.length === 0) return
    const seqs = dropped.map(({ seq }) => seq)
    await deletePieces(trx, workspace_id, id, seqs)
    await updateDeployment(trx, workspace_id, id, { log_cut: droppedLines })
  }

  return {
    write: (line) => add({ stream: 'stdout', origin: 'slipway', text: `${line}\n` }),
    append(stream, text, from) {
      add({ stream, origin: 'work' in from ? 'build' : 'container', text })
      if ('work' in from) followed = unsavedPosition = from
      else positions.set(from.instance.id, from.place)
    },
    offsetOf: (work) => (followed?.work === work ? followed.offset : 0),
    async waitForCapacity() {
      if (waiting >= maxWaitingLength) await flush()
    },
    flush,
    signal: failed.signal,
  }
}
