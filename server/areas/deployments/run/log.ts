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
import { setTimeout as sleep } from 'node:timers/promises'
import type { Docker } from '../../../remote/host.ts'
import {
  formatPosition,
  type LogBatch,
  type LogPosition,
  parsePosition,
  toDockerSeconds,
} from '../../logs/log-batch.ts'
import { LineReader, readChunks } from '../../logs/line-reader.ts'
import { type DeploymentRun, getRunHost } from './deployment-run.ts'

const flushDelay = 150
const [mostOfPiece, mostWaiting] = [32_768, 131_072]

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
  some: NewOutput[]
  read: Map<Instance['id'], string>
  followed: Deployment['followed']
  going: LogRow[]
  cut: number
}

/** Opens the log. Of a log that is too long, the beginning and the end are kept. `write` checks the lease. */
export async function openDeploymentLog(
  ctx: Context,
  { workspace_id, id, log_cut, ...of }: Pick<Deployment, 'workspace_id' | 'id' | 'log_cut' | 'followed'>,
  write: (work: (trx: Trx) => Promise<void>) => Promise<void>,
): Promise<DeploymentLog> {
  const failed = new AbortController()
  const ends = new LogTrimmer(await measureOutput(ctx.db, workspace_id, id))
  let pieces: NewOutput[] = []
  let places: UnsavedOutput['read'] = new Map()
  let [waiting, cut] = [0, log_cut]
  let { followed } = of
  let unsavedPosition: Deployment['followed'] = null
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function add({ stream, origin, text }: NewOutput) {
    const clean = text.replaceAll('\0', '\u{fffd}')
    waiting += clean.length
    const last = pieces.at(-1)
    if (last?.stream === stream && last.origin === origin && last.text.length + clean.length <= mostOfPiece)
      last.text += clean
    else pieces.push({ stream, origin, text: clean, at: new Date() })
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

  async function save(trx: Trx, { some, read, followed, going, cut }: UnsavedOutput) {
    await appendOutput(ctx, trx, workspace_id, id, some)
    for (const [instance, log_place] of read) await updateInstance(trx, workspace_id, instance, { log_place })
    if (followed) await updateDeployment(trx, workspace_id, id, { followed: JSON.stringify(followed) })
    if (going.length === 0) return
    const seqs = going.map(({ seq }) => seq)
    await deletePieces(trx, workspace_id, id, seqs)
    await updateDeployment(trx, workspace_id, id, { log_cut: cut })
  }

  return {
    write: (line) => add({ stream: 'stdout', origin: 'slipway', text: `${line}\n` }),
    append(stream, text, from) {
      add({ stream, origin: 'work' in from ? 'build' : 'container', text })
      if ('work' in from) followed = unsavedPosition = from
      else places.set(from.instance.id, from.place)
    },
    offsetOf: (work) => (followed?.work === work ? followed.offset : 0),
    async waitForCapacity() {
      if (waiting >= mostWaiting) await flush()
    },
    flush,
    signal: failed.signal,
  }
}

const reconnectDelay = 500
const catchUpTimeout = 30_000

interface LogReader {
  instance: Instance
  stamp: string
  hasEnded: boolean
}

export class ContainerLogs {
  readonly #readers: LogReader[] = []
  readonly #stopped = new AbortController()

  get hasReaders(): boolean {
    return this.#readers.length > 0
  }

  /** Resumes after the last saved line. */
  async follow(run: DeploymentRun, instance: Instance, prefix: string, stop: AbortSignal): Promise<void> {
    if (this.#readers.some((reader) => reader.instance.id === instance.id && !reader.hasEnded)) return
    const signal = AbortSignal.any([stop, this.#stopped.signal])
    let last = parsePosition(instance.log_place ?? undefined)
    const reader: LogReader = { instance, stamp: '', hasEnded: false }
    this.#readers.push(reader)
    while (!signal.aborted && !reader.hasEnded) {
      try {
        for await (const batch of streamLogs(getRunHost(run).docker, instance, last, signal)) {
          if (signal.aborted) break
          appendBatch(run, instance, batch, prefix)
          last = batch.last ?? last
          await run.log.waitForCapacity()
          reader.stamp = last?.stamp ?? ''
        }
        reader.hasEnded = true
      } catch {
        // Only retry, because the health check reports connection problems.
        await sleep(reconnectDelay, undefined, { signal }).catch(() => {})
      }
    }
    reader.hasEnded = true
  }

  /** Waits until the latest output is read, with a timeout for containers that print faster than Slipway reads. */
  async catchUp(run: DeploymentRun): Promise<void> {
    const { docker } = getRunHost(run)
    const signal = AbortSignal.any([run.signal, AbortSignal.timeout(catchUpTimeout)])
    try {
      for (const reader of this.#readers) {
        let end = ''
        for await (const batch of readLogs(docker, reader.instance, { tail: '1' }, signal))
          end = batch.last?.stamp ?? end
        while (!reader.hasEnded && reader.stamp < end) await sleep(20, undefined, { signal })
      }
    } catch {
      run.signal.throwIfAborted()
    }
  }

  stop(): void {
    this.#stopped.abort()
  }
}

async function* streamLogs(
  docker: Docker,
  instance: Instance,
  after: LogPosition | undefined,
  signal: AbortSignal,
): AsyncGenerator<LogBatch> {
  const query = { follow: '1', ...(after && { since: toDockerSeconds(after.stamp) }) }
  let skipping = after
  const onlyNew = (batch: LogBatch) => {
    if (!skipping) return batch
    const index = batch.indexOf(skipping)
    const { stamp } = skipping
    if (index < 0) return batch.where((one) => one > stamp)
    skipping = undefined
    return batch.from(index + 1)
  }
  // Docker before 23 repeats a rotated log file from its beginning.
  const positions = new Map<number, LogPosition>()
  for await (const batch of readLogs(docker, instance, query, signal)) yield onlyNew(batch).behind(positions)
}

async function* readLogs(
  docker: Docker,
  { container_id }: Instance,
  parameters: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<LogBatch> {
  const query = new URLSearchParams({ stdout: '1', stderr: '1', timestamps: '1', ...parameters })
  const path = `/containers/${container_id ?? ''}/logs?${query.toString()}`
  const reader = new LineReader(false)
  for await (const chunk of readChunks(await docker.stream({ path, signal }))) yield reader.read(chunk)
  yield reader.end(true)
}

function appendBatch({ log }: DeploymentRun, instance: Instance, batch: LogBatch, prefix: string): void {
  const { data } = batch.event(false)
  if (data.type !== 'lines' || !batch.last) return
  const from = { instance, place: formatPosition(batch.last) }
  for (const { stream, text } of data.lines) log.append(stream, `${prefix}${text}\n`, from)
}
