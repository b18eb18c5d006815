import type { WebSocket } from 'ws'
import type { z } from 'zod'
import type { Socket } from '../route.ts'

/** Maximum input buffered before a handler exists. */
const maxEarlyBytes = 131_072

const codes = { done: 1000, nothingSaid: 1005, broken: 1008 } as const

/** Returns the socket for areas, and the functions to close it. */
export function createSocket(
  ws: WebSocket,
  message: z.ZodType,
  onFailure: (error: unknown) => void,
): Socket<unknown> & { dismiss(reason: string): void } {
  const early: string[] = []
  let earlySize = 0
  let hear = (text: string) => {
    earlySize += text.length
    if (earlySize > maxEarlyBytes) ws.close(codes.broken)
    else early.push(text)
  }
  let drained = () => {}
  let dismissed: (reason: string) => void = () => {}
  let closed: { left: boolean } | undefined
  let tellClosed: (left: boolean) => void = () => {}
  ws.on('message', (data: Buffer, binary: boolean) => {
    if (binary) return ws.close(codes.broken)
    try {
      hear(data.toString())
    } catch (error) {
      // An uncaught error would end the process.
      onFailure(error)
    }
  })
  ws.once('close', (code) => {
    closed = { left: code === codes.done || code === codes.nothingSaid }
    tellClosed(closed.left)
  })
  return {
    // Drops fields that the schema does not name.
    sendMessage: (news) => ws.send(JSON.stringify(message.parse(news))),
    send: (bytes) => ws.send(bytes, () => drained()),
    buffered: () => ws.bufferedAmount,
    onDrain: (handler) => (drained = handler),
    onText(handler) {
      hear = handler
      for (const text of early.splice(0)) handler(text)
    },
    onDismiss: (handler) => (dismissed = handler),
    onClose(handler) {
      tellClosed = handler
      if (closed) handler(closed.left)
    },
    close: () => ws.close(codes.done),
    refuse: () => ws.close(codes.broken),
    dismiss(reason) {
      dismissed(reason)
      ws.close(codes.done)
    },
  }
}
