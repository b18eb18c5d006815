import type { Client, ClientChannel } from 'ssh2'
import { ConnectionLost } from '../errors.ts'
import type { SharedConnection } from './shared-connection.ts'
import { Duplex } from 'node:stream'
import type { SshConnection } from './connect.ts'

type Ask = (client: Client, done: (error: Error | undefined, channel: ClientChannel) => void) => void

/** Opens a socket through an SSH channel. Channels do not count as sessions: a server allows about a hundred. */
export async function openChannelSocket(keeper: SharedConnection, ask: Ask): Promise<ChannelSocket> {
  const link = await keeper.connection()
  return new Promise((resolve, reject) => {
    const stop = link.onLost(reject)
    try {
      ask(link.client, (error, channel) => {
        stop()
        if (error) reject(link.lostReason() ?? error)
        else resolve(new ChannelSocket(channel, link))
      })
    } catch {
      stop()
      reject(link.lostReason() ?? new ConnectionLost('The connection to the server was lost.'))
    }
  })
}

export const dialPort = (keeper: SharedConnection, address: string, port: number) =>
  dialAndHold(keeper, (client, done) => client.forwardOut('127.0.0.1', 0, address, port, done))

export const dialSocket = (keeper: SharedConnection, path: string) =>
  dialAndHold(keeper, (client, done) => client.openssh_forwardOutStreamLocal(path, done))

async function dialAndHold(keeper: SharedConnection, ask: Ask): Promise<ChannelSocket> {
  const release = keeper.acquire()
  try {
    return (await openChannelSocket(keeper, ask)).once('close', release)
  } catch (error) {
    release()
    throw error
  }
}

export class ChannelSocket extends Duplex {
  private readonly channel: ClientChannel

  constructor(channel: ClientChannel, link: SshConnection) {
    super({ allowHalfOpen: true })
    this.channel = channel
    channel.on('error', () => {})
    channel.on('data', (piece: Buffer) => {
      if (!this.push(piece)) channel.pause()
    })
    channel.once('end', () => this.push(null))
    const stop = link.onLost((reason) => this.destroy(reason))
    channel.once('close', () => {
      stop()
      // The socket is destroyed only after the remaining data was read.
      if (this.readableEnded) this.destroy()
      else this.once('end', () => this.destroy())
    })
  }

  override _read(): void {
    this.channel.resume()
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.channel.write(piece, done)
  }

  override _final(done: () => void): void {
    this.channel.end()
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.channel.close()
    done(error)
  }

  setKeepAlive(): this {
    return this
  }

  setNoDelay(): this {
    return this
  }

  setTimeout(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}
