import type { FastifyReply } from 'fastify'
import type { LiveEvent } from '../route.ts'

/**
 * Sends heartbeats between events, so that proxies keep the connection open. Heartbeats are events, because browsers do
 * not expose comments: a client that receives no heartbeat knows that the connection is dead.
 */
export async function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<LiveEvent<unknown>>,
  beat: () => Promise<boolean>,
  beatMilliseconds = 15_000,
): Promise<void> {
  const out = reply.raw
  reply.hijack()
  out.writeHead(200, {
    ...Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const timer = setInterval(() => {
    // A client that is behind does not need heartbeats.
    if (!out.writableNeedDrain) out.write('event: beat\ndata: {}\n\n')
    beat().then(
      (alive) => alive || out.destroy(),
      () => out.destroy(),
    )
  }, beatMilliseconds)
  try {
    for await (const event of events) {
      if (!out.write(event.shared ? encodeEvent(event) : formatEvent(event))) await drained(out)
      if (out.destroyed) break
    }
  } finally {
    clearInterval(timer)
    out.end()
  }
}

const formatEvent = ({ id, data }: LiveEvent<unknown>) =>
  `${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`

/** Serialized events, so that an event for many callers is serialized once. */
const written = new WeakMap<LiveEvent<unknown>, Buffer>()

function encodeEvent(event: LiveEvent<unknown>): Buffer {
  const bytes = written.get(event) ?? Buffer.from(formatEvent(event))
  written.set(event, bytes)
  return bytes
}

const drained = (out: FastifyReply['raw']) =>
  new Promise<void>((resolve) => {
    if (out.destroyed) return resolve()
    const go = () => {
      out.off('drain', go).off('close', go)
      resolve()
    }
    out.on('drain', go).on('close', go)
  })
