import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Host, Process } from '../../remote/host.ts'
import type { ServerRow } from '../servers/server.ts'
import type { Watcher } from '../servers/watcher.ts'
import { createBlocks } from './blocks.ts'
import { collectContainers } from './collect-containers.ts'
import { collectTraffic } from './collect-traffic.ts'
import { collector } from './collector.ts'
import { readBlock, type Reading } from './reading.ts'
import { sampleOf } from './sample.ts'
import type { Sample } from './series.ts'
import { writersOf } from './writer.ts'

/** A server that is reached but says nothing for so long hangs, and is asked anew. */
const SILENCE = 60_000

/** Reads the figures of a server for as long as it is connected, through one program that runs there. */
async function collect(ctx: Context, server: ServerRow, host: Host, signal: AbortSignal): Promise<void> {
  const writer = writersOf(ctx).servers
  const running = await host.start(collector(randomInt(0, 10)), { signal })
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
  { stdout, stderr, ended }: Process,
  signal: AbortSignal,
  onSample: (sample: Sample<'server'>) => void,
): Promise<void> {
  const read = createBlocks(samples(onSample))
  let said = ''
  return new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => settle(() => reject(error))
    const stop = () => settle(resolve)
    const silence = setTimeout(() => fail(new Error('The server stopped telling its figures.')), SILENCE)
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
      ({ code }) => fail(new Error(`What reads the figures ended with ${code}. ${said}`.trim())),
      fail,
    )
  })
}

/** Each reading is compared with the one before; one that cannot be read leaves a gap. */
function samples(onSample: (sample: Sample<'server'>) => void): (block: string) => void {
  let before: Reading | undefined
  return (block) => {
    const now = readBlock(block)
    const sample = before && now && sampleOf(before, now)
    before = now
    if (sample) onSample(sample)
  }
}
