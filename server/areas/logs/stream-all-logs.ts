import type { z } from 'zod'
import type { streamAllLogs as contract } from '../../../contract/logs.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { Actor, LiveEvent } from '../../route.ts'
import { getServerRow } from '../servers/server.ts'
import type { LogEvent } from './log-batch.ts'
import { streamLogs } from './stream-logs.ts'

type Query = z.output<typeof contract.query>

/** Merges several logs into one stream, because browsers limit connections per host. */
export async function* streamAllLogs(
  ctx: Context,
  actor: Actor,
  id: Id<'server'>,
  { containers, tail, since, timestamps }: Query,
  { signal, lastEventId }: { signal: AbortSignal; lastEventId: string | undefined },
): AsyncGenerator<LiveEvent<z.input<typeof contract.reply>>> {
  await getServerRow(ctx, actor, id)
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const positions = parsePositions(lastEventId)
  const query = { tail, since, timestamps, follow: true }

  async function* readContainer(container: string): AsyncGenerator<{ container: string; event: LogEvent }> {
    const from = { signal: either, lastEventId: positions.get(shortId(container)) }
    try {
      for await (const event of streamLogs(ctx, actor, { id, cid: container }, query, from))
        yield { container, event }
    } catch (error) {
      // A removed container must not end the stream of the others.
      if (!(error instanceof Problem)) throw error
      yield { container, event: { id: '', data: { type: 'end', reason: error.message } } }
    }
  }

  for await (const { container, event } of merge(containers.map(readContainer), () => ended.abort())) {
    if (event.id) positions.set(shortId(container), event.id)
    yield { id: formatPositions(positions), data: { container, event: event.data } }
  }
}

const shortId = (container: string) => container.slice(0, 12)

const formatPositions = (positions: ReadonlyMap<string, string>) =>
  [...positions].map(([key, position]) => `${key}=${position}`).join(',')

function parsePositions(id: string | undefined): Map<string, string> {
  const parts = (id ?? '').split(',').map((part) => part.split('='))
  return new Map(parts.flatMap(([key, position]) => (key && position ? [[key, position]] : [])))
}

interface Waiting<T> {
  value: T
  taken: () => void
}

async function* merge<T>(streams: readonly AsyncGenerator<T>[], stop: () => void): AsyncGenerator<T> {
  const ready: Waiting<T>[] = []
  const failures: unknown[] = []
  let open = streams.length
  let wake = () => undefined as void

  async function pump(stream: AsyncGenerator<T>) {
    try {
      for await (const value of stream)
        await new Promise<void>((taken) => {
          ready.push({ value, taken })
          wake()
        })
    } catch (error) {
      failures.push(error)
    } finally {
      open -= 1
      wake()
    }
  }

  for (const stream of streams) void pump(stream)
  try {
    while (true) {
      const next = ready.shift()
      if (next) {
        yield next.value
        next.taken()
        continue
      }
      if (failures.length > 0) throw failures[0]
      if (open === 0) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    stop()
    await Promise.allSettled(streams.map((stream) => stream.return(undefined)))
  }
}
