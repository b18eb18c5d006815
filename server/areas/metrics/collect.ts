import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import { readScript } from '../../platform/read-script.ts'
import type { Host, RemoteProcess } from '../../remote/host.ts'
import type { ServerRow } from '../servers/server.ts'
import type { Watcher } from '../servers/watcher.ts'
import { collectTraffic } from './collect-traffic.ts'
import { parseServerReading, type ServerReading, toServerSample } from './server-sample.ts'
import type { Sample } from './series.ts'
import { command } from '../../remote/command.ts'
import {
  type ContainerMetrics,
  listRunningContainerIds,
  saveContainerMetrics,
} from '../containers/container-metrics.ts'
import { createContainerSampler } from './container-sampler.ts'
import { pause } from '../../platform/async.ts'

const EVERY = 10_000
/** Older Docker engines answer once a second, so enough requests run concurrently without overloading the server. */
const MAX_CONCURRENT = 40

/** Samples CPU, memory, disk and network usage of containers until the connection is lost. */
async function collectContainers(
  ctx: Context,
  server: ServerRow,
  host: Host,
  signal: AbortSignal,
): Promise<void> {
  const sampler = createContainerSampler(host.docker, signal)
  const writer = ctx.sampleWriters().containers
  const { workspace_id, id: server_id } = server
  // Random delay, so that servers of one process do not report simultaneously and containers are known.
  await pause(randomInt(1_000, 4_000), signal)
  while (!signal.aborted) {
    const running = (await listRunningContainerIds(ctx.db, workspace_id, server_id))
      .map(({ id }) => id)
      .toSorted()
    sampler.keepOnly(running)
    const groups = toGroups(running)
    const latest: ContainerMetrics[] = []
    for (const group of groups) {
      const next = pause(EVERY / groups.length, signal)
      for (const { id, ...sample } of await sampler.sample(group)) {
        writer.add({ workspace_id, server_id, container_id: id, at: ctx.now(), ...sample })
        latest.push({ id, ...sample })
      }
      // Once per round, because every open list reloads then.
      if (group === groups.at(-1)) await saveContainerMetrics(ctx.db, workspace_id, server_id, latest)
      await next
    }
  }
  await writer.flush()
}

/** At least one group, so that the loop waits. */
const toGroups = (ids: string[]) =>
  Array.from({ length: Math.max(1, Math.ceil(ids.length / MAX_CONCURRENT)) }, (_, n) =>
    ids.slice(n * MAX_CONCURRENT, (n + 1) * MAX_CONCURRENT),
  )

const collectScript = readScript('collect-metrics.sh')

export const collectorCommand = (pause: number) =>
  command('sh', '-c', collectScript, 'slipway-metrics', String(pause))

/** Far more than a block needs, against a server that sends endless data. */
const MAX_BYTES = 256 * 1024

export function createBlockParser(onBlock: (block: string) => void): (piece: Buffer) => void {
  let rest = ''
  return (piece) => {
    // The output is ASCII; other bytes must not fail.
    rest += piece.toString('latin1')
    for (let end = findBlockEnd(rest); end; end = findBlockEnd(rest)) {
      onBlock(rest.slice(0, end.at))
      rest = rest.slice(end.next)
    }
    if (rest.length > MAX_BYTES) throw new Error('The metrics output of the server is too large.')
  }
}

function findBlockEnd(text: string): { at: number; next: number } | undefined {
  if (text.startsWith('.\n')) return { at: 0, next: 2 }
  const index = text.indexOf('\n.\n')
  return index < 0 ? undefined : { at: index, next: index + 3 }
}

/** Restarts the collector after this long without output. */
const SILENCE = 60_000

async function collect(ctx: Context, server: ServerRow, host: Host, signal: AbortSignal): Promise<void> {
  const writer = ctx.sampleWriters().servers
  const running = await host.start(collectorCommand(randomInt(0, 10)), { signal })
  try {
    await follow(running, signal, (sample) =>
      // Uses our clock, because the server's may be wrong.
      writer.add({ workspace_id: server.workspace_id, server_id: server.id, at: ctx.now(), ...sample }),
    )
  } finally {
    running.release()
    await writer.flush()
  }
}

export const watchers: Watcher[] = [
  { name: 'metrics', watch: collect },
  { name: 'container-metrics', watch: collectContainers },
  { name: 'traffic', watch: collectTraffic },
]

function follow(
  { stdout, stderr, ended }: RemoteProcess,
  signal: AbortSignal,
  onSample: (sample: Sample<'server'>) => void,
): Promise<void> {
  const read = createBlockParser(samples(onSample))
  let errorOutput = ''
  return new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => settle(() => reject(error))
    const stop = () => settle(resolve)
    const silence = setTimeout(() => fail(new Error('The server stopped sending metrics.')), SILENCE)
    const settle = (how: () => void) => {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      how()
    }
    stderr.on('data', (piece: Buffer) => (errorOutput = (errorOutput + piece.toString()).slice(-200)))
    stdout.on('data', (piece: Buffer) => {
      silence.refresh()
      try {
        read(piece)
      } catch (error) {
        fail(error)
      }
    })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    ended.then(
      ({ code }) => fail(new Error(`The metrics collector exited with code ${code}. ${errorOutput}`.trim())),
      fail,
    )
  })
}

function samples(onSample: (sample: Sample<'server'>) => void): (block: string) => void {
  let before: ServerReading | undefined
  return (block) => {
    const now = parseServerReading(block)
    const sample = before && now && toServerSample(before, now)
    before = now
    if (sample) onSample(sample)
  }
}
