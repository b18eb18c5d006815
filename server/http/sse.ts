import type { FastifyReply } from 'fastify'
import type { LiveEvent } from '../route.ts'

/**
 * Writes events as they come, with a beat between them that keeps proxies from closing the line. It is an event too,
 * since browsers show no comments: whoever misses it knows that the line is dead.
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
    out.write('event: beat\ndata: {}\n\n')
    beat().then(
      (alive) => alive || out.destroy(),
      () => out.destroy(),
    )
  }, beatMilliseconds)
  try {
    for await (const { id, data } of events) {
      const line = `${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`
      if (!out.write(line)) await drained(out)
      if (out.destroyed) break
    }
  } finally {
    clearInterval(timer)
    out.end()
  }
}

const drained = (out: FastifyReply['raw']) =>
  new Promise<void>((resolve) => {
    out.once('drain', resolve)
    out.once('close', resolve)
  })
