import { setTimeout as sleep } from 'node:timers/promises'
import type { Docker } from '../../../remote/host.ts'
import type { Instance } from '../../applications/instance.ts'
import {
  formatPosition,
  type LogBatch,
  type LogPosition,
  parsePosition,
  toDockerSeconds,
} from '../../logs/log-batch.ts'
import { LineReader, readChunks } from '../../logs/line-reader.ts'
import { type DeploymentRun, getRunHost } from './deployment-run.ts'
import { formatBytesExact } from '../../../../contract/shared/bytes.ts'
import { readJsonLines } from '../../../remote/docker.ts'
import type { ContainerInspection } from '../../containers/inspect.ts'

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
        // The health check reports the connection problem.
        await sleep(reconnectDelay, undefined, { signal }).catch(() => {})
      }
    }
    reader.hasEnded = true
  }

  /** The timeout is for containers that print faster than they are read. */
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
  asked: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<LogBatch> {
  const query = new URLSearchParams({ stdout: '1', stderr: '1', timestamps: '1', ...asked })
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

interface ContainerExit {
  code: number | null
  outOfMemory: boolean
}

export async function readExit(
  docker: Docker,
  { Id: id, State: state }: ContainerInspection,
): Promise<ContainerExit> {
  const now = { code: state.ExitCode, outOfMemory: state.OOMKilled }
  return state.Status === 'running' ? readLastExit(docker, id) : now
}

interface ExitEvent {
  Action: string
  Actor: { Attributes?: Record<string, string> | null }
}

/** Docker keeps only the last few hundred events. */
const secondsBack = 900

async function readLastExit(docker: Docker, container: string): Promise<ContainerExit> {
  // Docker expects times of the server clock.
  const { SystemTime } = await docker.json<{ SystemTime: string }>({ path: '/info' })
  const now = Date.parse(SystemTime) / 1_000
  const filters = JSON.stringify({ container: [container], event: ['die', 'oom'] })
  const [since, until] = [now - secondsBack, now].map((seconds) => seconds.toFixed(3))
  const query = new URLSearchParams({ since: since ?? '', until: until ?? '', filters })
  const ending: ContainerExit = { code: null, outOfMemory: false }
  const events = await docker.stream({ path: `/events?${query.toString()}` })
  for await (const { Action: action, Actor: actor } of readJsonLines<ExitEvent>(events)) {
    if (action === 'oom') ending.outOfMemory = true
    const code = actor.Attributes?.['exitCode']
    if (action === 'die' && code !== undefined) ending.code = Number(code)
  }
  return ending
}

export function exitMessage(container: string, ending: ContainerExit, limit: number | null): string {
  if (ending.outOfMemory)
    return limit === null
      ? `Container ${container} ran out of memory: the server has no free memory.`
      : `Container ${container} ran out of memory (limit ${formatBytesExact(limit)}).`
  return ending.code === null
    ? `Container ${container} exited.`
    : `Container ${container} exited with code ${ending.code}.`
}

const maxLineLength = 500

export async function readLastLogLines(
  docker: Docker,
  container: { id: string; tty: boolean },
  count: number,
  signal?: AbortSignal,
  longest = maxLineLength,
): Promise<string[]> {
  const query = new URLSearchParams({ stdout: '1', stderr: '1', timestamps: '1', tail: String(count) })
  const path = `/containers/${container.id}/logs?${query.toString()}`
  const reader = new LineReader(container.tty)
  let text = ''
  for await (const chunk of readChunks(await docker.stream({ path, signal })))
    text += reader.read(chunk).text(false)
  const lines = (text + reader.end(true).text(false)).split('\n').slice(0, -1)
  return lines.slice(-count).map((line) => line.slice(0, longest).replaceAll('\0', '\u{fffd}'))
}
