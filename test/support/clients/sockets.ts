import { onTestFinished, vi } from 'vitest'
import { WebSocket, type WebSocketServer } from 'ws'
import type { CallResult } from './client.ts'

export interface TestSocket {
  /** Parsed messages. */
  received: unknown[]
  text(): string
  size(): number
  send(message: unknown): void
  sendRaw(data: string | Buffer): void
  /** Resolves with the first message of this type. */
  message(type: string, timeout?: number): Promise<Record<string, unknown>>
  /** Resolves when the output contains this. */
  sees(what: string | RegExp, timeout?: number): Promise<void>
  /** Resolves with the close code. */
  closed(timeout?: number): Promise<number>
  /** Stops reading, like a busy browser. */
  stall(): void
  read(): void
  /** Drops the connection without a close frame. */
  drop(): void
  close(code?: number): void
}

/** Opens a WebSocket or returns the refusal. Ends with the test. */
export async function openSocket(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ socket: TestSocket; refused?: undefined } | { refused: CallResult; socket?: undefined }> {
  const ws = new WebSocket(url.replace(/^http/, 'ws'), { headers })
  onTestFinished(() => ws.terminate())
  const socket = follow(ws)
  return new Promise((resolve, reject) => {
    ws.once('open', () => resolve({ socket }))
    ws.once('error', reject)
    ws.once('unexpected-response', (_, response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
      response.once('end', () => {
        const all = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
        const body: unknown = JSON.parse(text)
        resolve({
          refused: { status: response.statusCode ?? 0, headers: Object.fromEntries(all), text, body },
        })
      })
    })
  })
}

export async function joinSocket(url: string, headers?: Record<string, string>): Promise<TestSocket> {
  const { socket, refused } = await openSocket(url, headers)
  if (!socket) throw new Error(`Refused: ${refused.status} ${refused.text}`)
  return socket
}

function follow(ws: WebSocket): TestSocket {
  const received: unknown[] = []
  const pieces: Buffer[] = []
  let size = 0
  let code: number | undefined
  ws.on('error', () => {})
  ws.on('message', (data: Buffer, binary) => {
    if (!binary) received.push(JSON.parse(data.toString()))
    if (!binary) return
    size += data.length
    // Tests look at the end, so a flood is not kept.
    if (pieces.push(data) > 2_000) pieces.splice(0, 1_000)
  })
  ws.once('close', (given) => (code = given))
  const text = () => Buffer.concat(pieces).toString()
  const until = <T>(look: () => T | undefined, what: string, timeout?: number): Promise<T> =>
    vi.waitFor(
      () => {
        const found = look()
        if (found !== undefined) return found
        const seen = text().slice(-2_000)
        throw new Error(`No ${what}. Received: ${JSON.stringify(received)}. Closed: ${code}. Seen: ${seen}`)
      },
      { ...(timeout !== undefined && { timeout }), interval: 10 },
    )
  return {
    received,
    text,
    size: () => size,
    send: (message) => ws.send(JSON.stringify(message)),
    sendRaw: (data) => ws.send(data),
    message: (type, timeout) => until(() => received.filter(isOf(type))[0], type, timeout),
    async sees(what, timeout) {
      const pattern = typeof what === 'string' ? { test: (text: string) => text.includes(what) } : what
      await until(() => pattern.test(text()) || undefined, String(what), timeout)
    },
    closed: (timeout) => until(() => code, 'end', timeout),
    stall: () => ws.pause(),
    read: () => ws.resume(),
    drop: () => ws.terminate(),
    close: (given = 1000) => ws.close(given),
  }
}

/** Largest send buffer of this Slipway's sockets. */
export const bytesWaiting = (app: object) => {
  if (!('websocketServer' in app)) throw new Error('It takes no sockets.')
  // Added by the WebSocket plugin.
  const { clients } = app.websocketServer as WebSocketServer
  return Math.max(0, ...[...clients].map((ws) => ws.bufferedAmount))
}

const isOf =
  (type: string) =>
  (message: unknown): message is Record<string, unknown> =>
    typeof message === 'object' && message !== null && 'type' in message && message.type === type
