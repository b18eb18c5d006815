import type { Instance } from '../../applications/instance.ts'
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
