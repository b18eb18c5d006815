import { type IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Config } from '../config.ts'
import { foreignPage } from '../errors.ts'

/**
 * Once somebody listens to upgrades, Node asks them about every request that offers one, and some clients of HTTP/2
 * offer it with each. Only sockets are let through; all others are read once more, as the plain requests they are.
 */
export function gateOf(server: Server, isSocket: (path: string) => boolean): Server {
  // It never listens: the plugin for sockets hears what is passed on to it, and nothing else.
  const gate = new Server()
  server.on('upgrade', (request, socket, head) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const wanted = request.headers.upgrade?.toLowerCase() === 'websocket' && request.method === 'GET'
    if (wanted && isSocket(path)) gate.emit('upgrade', request, socket, head)
    else readAgain(server, request, socket, head)
  })
  return gate
}

function readAgain(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer) {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2)
    if (!/^(upgrade|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}

/** A browser says which page opens a socket: ours, or one that the operator has named. Programs say nothing. */
export function checkOrigin(config: Config, origin: string | undefined, host: string): void {
  if (origin === undefined) return
  const named = config.CORS_ORIGINS?.split(',').map((one) => one.trim()) ?? []
  const own = [new URL(config.PUBLIC_URL).origin, `http://${host}`, `https://${host}`]
  if (![...own, ...named].includes(origin)) throw foreignPage(origin)
}
