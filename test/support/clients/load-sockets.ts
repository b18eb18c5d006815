import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** Reads until the condition holds; throws when the connection breaks. */
function until(socket: Socket, isEnough: (text: Buffer) => boolean): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let said = Buffer.alloc(0)
    const late = setTimeout(() => fail(new Error('No answer within 30 seconds.')), 30_000)
    const leave = () => {
      clearTimeout(late)
      socket.off('data', hear).off('error', fail).off('end', end).off('close', end)
    }
    const fail = (error: Error) => {
      leave()
      reject(error)
    }
    const end = () => fail(new Error(`It broke off after ${said.length} bytes.`))
    const hear = (piece: Buffer) => {
      said = Buffer.concat([said, piece])
      if (!isEnough(said)) return
      leave()
      resolve(said)
    }
    socket.on('data', hear).on('error', fail).on('end', end).on('close', end)
  })
}

/** Connects to the echo of rig/app and returns its version. */
export async function echoOverTcp(address: string, port: number): Promise<string> {
  const socket = connect(port, address)
  try {
    const greeting = await until(socket, (said) => said.includes('\n'))
    socket.write('ping\n')
    await until(socket, (said) => said.includes('ping\n'))
    return greeting.toString().trim()
  } finally {
    // Pending work must not throw an uncaught error.
    socket.on('error', () => {}).destroy()
  }
}

export interface WebSocketClient {
  /** Sends a text and waits for the echo or a close frame. */
  echo(): Promise<void>
  isClosed(): boolean
  close(): void
}

const CLOSE = 0x88

/** A minimal RFC 6455 client with short frames. */
export async function openWebSocket(address: string, port: number, host: string): Promise<WebSocketClient> {
  const socket = connect(port, address)
  const key = randomBytes(16).toString('base64')
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  )
  const head = (await until(socket, (said) => said.includes('\r\n\r\n'))).toString()
  if (!head.startsWith('HTTP/1.1 101')) throw new Error(head.split('\r\n')[0])
  let closed = false
  // A loss between two echoes is seen by the next one.
  socket.on('error', () => {})
  socket.on('data', (piece: Buffer) => (closed ||= piece.includes(CLOSE)))
  return {
    async echo() {
      if (closed) return
      if (socket.destroyed || socket.readableEnded) throw new Error('It broke off without a word.')
      const text = randomBytes(4).toString('hex')
      socket.write(frameOf(text))
      await until(socket, (said) => said.includes(text) || said.includes(CLOSE))
    },
    isClosed: () => closed,
    close: () => void socket.destroy(),
  }
}

/** Clients must mask their frames. */
function frameOf(text: string): Buffer {
  const mask = randomBytes(4)
  const body = Buffer.from(text).map((byte, at) => byte ^ (mask[at % 4] ?? 0))
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length]), mask, body])
}
