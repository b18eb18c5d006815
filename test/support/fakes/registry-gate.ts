import type { IncomingMessage, ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import type { Registry } from '../programs/registry.ts'
import { passOn } from './gate.ts'
import { startHttpService } from './http-service.ts'

/** A proxy before a registry, which holds back layers while it is closed. */
export async function startGate({ address }: Pick<Registry, 'address'>) {
  const waiting = new Set<() => void>()
  let isClosed = false
  let held = 0

  /** Passes on the first half of a layer, and the rest when the gate opens. */
  function holdHalf(answer: IncomingMessage, response: ServerResponse) {
    let left = sizeOf(answer) / 2
    answer.on('data', (piece: Buffer) => {
      // The client is gone, and no further close event would remove it from those waiting.
      if (response.closed) return
      response.write(piece)
      left -= piece.length
      if (left > 0 || answer.isPaused()) return
      answer.pause()
      held++
      left = Infinity
      const release = () => void answer.resume()
      waiting.add(release)
      response.once('close', () => waiting.delete(release))
    })
    answer.once('end', () => response.end())
  }

  const service = await startHttpService((request, response) => {
    const isBlob = request.method === 'GET' && /\/blobs\//.test(request.url ?? '')
    passOn(`http://${address}`, request, response, (answer) => {
      if (isClosed && isBlob && sizeOf(answer) > 100_000) holdHalf(answer, response)
      else answer.pipe(response)
    })
  }, address.split(':')[0])
  onTestFinished(service.close)
  return {
    address: new URL(service.url).host,
    /** Holds back the second half of every layer from now on. */
    close: () => void (isClosed = true),
    /** Passes on what is held back, and all that follows. */
    open() {
      isClosed = false
      for (const release of waiting) release()
    },
    /** How many layers were held back so far. */
    held: () => held,
    /** How many clients wait for the rest of a layer. */
    waiting: () => waiting.size,
  }
}

const sizeOf = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)
