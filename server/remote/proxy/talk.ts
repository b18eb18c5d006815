import type { Duplex } from 'node:stream'
import { RemoteError, TimedOut } from '../errors.ts'
import type { Host } from '../host.ts'
import { inFolder } from './config.ts'

/** The proxy does not run, ended while it was asked, or cannot be asked by this user. */
export class ProxyAway extends RemoteError {
  constructor(message = 'The proxy on this server is not responding. Run setup again.') {
    super(message)
  }
}

const PATIENCE = 10_000

/** What the process that serves now answers to each of these, in order. All go on one connection. */
export async function tellWorker(host: Host, commands: readonly string[]): Promise<string[]> {
  const said = await exchange(host, 'admin.sock', `prompt\n${commands.join('\n')}\nquit\n`)
  // What the prompt itself was answered with comes first; after the last answer it prompts once more.
  const answers = said.replace(/^\n/, '').split(/\n> |^> /m)
  if (answers.length < commands.length + 1)
    throw new ProxyAway(`The proxy closed the connection: ${said.slice(-200).trim() || 'no output'}.`)
  return answers.slice(1, commands.length + 1).map((answer) => answer.trim())
}

/** What the process over the workers answers; an old worker, if it is named. */
export const tellMaster = (host: Host, what: string, worker?: number) =>
  exchange(host, 'master.sock', `${worker === undefined ? '' : `@!${worker} `}${what}\n`)

async function exchange(host: Host, name: string, text: string): Promise<string> {
  const socket = await host.dialSocket(inFolder(name)).catch((error: unknown) => {
    throw error instanceof RemoteError ? error : new ProxyAway()
  })
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    const end = (error?: Error) => {
      clearTimeout(late)
      socket.destroy()
      if (error) reject(error instanceof RemoteError ? error : new ProxyAway())
      else resolve(Buffer.concat(pieces).toString())
    }
    const late = setTimeout(() => end(new TimedOut('The proxy did not respond in time.')), PATIENCE)
    listen(socket, pieces, end)
    // Half-closed: it answers, then closes.
    socket.end(text)
  })
}

function listen(socket: Duplex, pieces: Buffer[], end: (error?: Error) => void): void {
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  socket.once('end', () => end())
  socket.once('error', end)
  socket.once('close', () => end())
}
