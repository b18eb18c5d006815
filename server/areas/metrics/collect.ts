import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Host, RemoteProcess } from '../../remote/host.ts'
import type { ServerRow } from '../servers/server.ts'
import type { Watcher } from '../servers/watcher.ts'
import { collectTraffic } from './collect-traffic.ts'
import { parseServerReading, type ServerReading } from './server-reading.ts'
import { toServerSample } from './server-sample.ts'
import type { Sample } from './series.ts'
import { sampleWriters } from './sample-writer.ts'
import { command } from '../../remote/command.ts'
import {
  type ContainerMetrics,
  listRunningContainerIds,
  saveContainerMetrics,
} from '../containers/container-metrics.ts'
import { createContainerSampler } from './container-sampler.ts'
import { pause } from './pause.ts'

const EVERY = 10_000
/** Many enough for older engines, which answer once a second whoever has asked by then; few enough to hurt no server. */
const AT_ONCE = 40

/** Reads the figures of all containers that run on a server, for as long as it is connected. */
async function collectContainers(
  ctx: Context,
  server: ServerRow,
  host: Host,
  signal: AbortSignal,
): Promise<void> {
  const sampler = createContainerSampler(host.docker, signal)
  const writer = sampleWriters(ctx).containers
  const { workspace_id, id: server_id } = server
  // Servers of one process do not all speak at the same moment, and which containers run is known a moment later.
  await pause(randomInt(1_000, 4_000), signal)
  while (!signal.aborted) {
    // In one order, so that each has its turn at the same time of every round.
    const running = (await listRunningContainerIds(ctx.db, workspace_id, server_id))
      .map(({ id }) => id)
      .toSorted()
    sampler.keepOnly(running)
    const groups = inGroups(running)
    const latest: ContainerMetrics[] = []
    for (const group of groups) {
      const next = pause(EVERY / groups.length, signal)
      for (const { id, ...sample } of await sampler.sample(group)) {
        writer.add({ workspace_id, server_id, container_id: id, at: ctx.now(), ...sample })
        latest.push({ id, ...sample })
      }
      // Once for all, as everybody who looks at the list asks for it again.
      if (group === groups.at(-1)) await saveContainerMetrics(ctx.db, workspace_id, server_id, latest)
      await next
    }
  }
  await writer.flush()
}

/** One at least, so that there is something to wait for. */
const inGroups = (ids: string[]) =>
  Array.from({ length: Math.max(1, Math.ceil(ids.length / AT_ONCE)) }, (_, n) =>
    ids.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
  )

/**
 * Prints one block of figures every ten seconds, each ended by a line with a dot, for as long as somebody reads. The
 * second comes after one second, so that rates are there at once; the third after a pause of its own, so that the
 * servers of one process do not all speak at the same moment. Runs in dash, bash and busybox, and forks little: what
 * the shell can read itself it does. A block is said in one go, as one packet.
 */
const script = `
export LC_ALL=C
figures() {
  read -r line </proc/stat && echo "$line"
  read -r line </proc/loadavg && echo "load $line"
  read -r line </proc/uptime && echo "uptime $line"
  while read -r line; do
    case $line in
      MemTotal:* | MemFree:* | MemAvailable:* | Buffers:* | Cached:*) echo "$line" ;;
      Active:*) break ;;
    esac
  done </proc/meminfo
  grep -vE '^ *(lo|docker|veth|br-)' /proc/net/dev
  df -kP / | while read -r line; do echo "disk $line"; done
}
tell() {
  printf '%s\\n.\\n' "$(figures)" || exit
}
# Without the channel, so that it closes as soon as this shell ends.
pause() {
  sleep "$1" >/dev/null 2>&1
}
tell
pause 1
tell
pause "$1"
while :; do
  tell
  pause 10
done
`

/** What runs on a server; all of it is constant but the pause, which is a number of seconds. */
export const collectorCommand = (pause: number) =>
  command('sh', '-c', script, 'slipway-metrics', String(pause))

/** Far more than a block has; a server that says more without an end is not one of ours. */
const MOST = 256 * 1024

/** Puts the pieces of a stream together into blocks that end with a line of one dot. */
export function createBlockParser(onBlock: (block: string) => void): (piece: Buffer) => void {
  let rest = ''
  return (piece) => {
    // The figures are ASCII; what else there may be is ignored, but must not fail.
    rest += piece.toString('latin1')
    for (let end = endOf(rest); end; end = endOf(rest)) {
      onBlock(rest.slice(0, end.at))
      rest = rest.slice(end.next)
    }
    if (rest.length > MOST) throw new Error('The metrics output of the server is too large.')
  }
}

function endOf(text: string): { at: number; next: number } | undefined {
  if (text.startsWith('.\n')) return { at: 0, next: 2 }
  const at = text.indexOf('\n.\n')
  return at < 0 ? undefined : { at, next: at + 3 }
}

/** A server that is reached but says nothing for so long hangs, and is asked anew. */
const SILENCE = 60_000

/** Reads the figures of a server for as long as it is connected, through one program that runs there. */
async function collect(ctx: Context, server: ServerRow, host: Host, signal: AbortSignal): Promise<void> {
  const writer = sampleWriters(ctx).servers
  const running = await host.start(collectorCommand(randomInt(0, 10)), { signal })
  try {
    await follow(running, signal, (sample) =>
      // The time is ours: what the server's clock says does not matter.
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

/** Until the signal says so; throws when the program ends or falls silent before. */
function follow(
  { stdout, stderr, ended }: RemoteProcess,
  signal: AbortSignal,
  onSample: (sample: Sample<'server'>) => void,
): Promise<void> {
  const read = createBlockParser(samples(onSample))
  let said = ''
  return new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => settle(() => reject(error))
    const stop = () => settle(resolve)
    const silence = setTimeout(() => fail(new Error('The server stopped sending metrics.')), SILENCE)
    const settle = (how: () => void) => {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      how()
    }
    stderr.on('data', (piece: Buffer) => (said = (said + piece.toString()).slice(-200)))
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
      ({ code }) => fail(new Error(`The metrics collector exited with code ${code}. ${said}`.trim())),
      fail,
    )
  })
}

/** Each reading is compared with the one before; one that cannot be read leaves a gap. */
function samples(onSample: (sample: Sample<'server'>) => void): (block: string) => void {
  let before: ServerReading | undefined
  return (block) => {
    const now = parseServerReading(block)
    const sample = before && now && toServerSample(before, now)
    before = now
    if (sample) onSample(sample)
  }
}
