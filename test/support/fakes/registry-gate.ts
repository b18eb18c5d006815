import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import { onTestFinished } from 'vitest'
import { urlOf } from '../programs/port.ts'
import type { Registry } from '../programs/registry.ts'

export interface Gate extends Pick<Registry, 'address'> {
  /** From now on the half of every layer comes through, and then nothing more. */
  close(): void
  /** Lets through what it holds, and all that comes. */
  open(): void
  /** How many layers it has held back so far… */
  held(): number
  /** …and of how many somebody still waits for the rest. */
  waiting(): number
}

/** Stands before a registry, and holds its layers back while it is closed. */
export async function startGate({ address }: Pick<Registry, 'address'>): Promise<Gate> {
  const [host = '', port = ''] = address.split(':')
  const waiting = new Set<() => void>()
  let closed = false
  let held = 0
  const server = createServer((asked, reply) => {
    const { method, url, headers } = asked
    const passed = request({ host, port, method, path: url, headers: { ...headers, host: address } })
    asked.pipe(passed)
    passed.once('error', () => reply.destroy())
    passed.once('response', (answer) => {
      reply.writeHead(answer.statusCode ?? 500, answer.headers)
      const isLayer = method === 'GET' && /\/blobs\//.test(url ?? '') && size(answer.headers) > 100_000
      if (!closed || !isLayer) {
        answer.pipe(reply)
        return
      }
      let left = size(answer.headers) / 2
      answer.on('data', (piece: Buffer) => {
        reply.write(piece)
        left -= piece.length
        if (left > 0 || answer.isPaused()) return
        answer.pause()
        held++
        left = Infinity
        const release = () => void answer.resume()
        waiting.add(release)
        reply.once('close', () => waiting.delete(release))
      })
      answer.once('end', () => reply.end())
    })
  }).listen(0, host)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return {
    address: `${host}:${new URL(urlOf(server)).port}`,
    close: () => void (closed = true),
    open() {
      closed = false
      for (const release of waiting) release()
    },
    held: () => held,
    waiting: () => waiting.size,
  }
}

const size = (headers: IncomingHttpHeaders) => Number(headers['content-length'] ?? 0)
