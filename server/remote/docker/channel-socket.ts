import { Duplex } from 'node:stream'
import type { ClientChannel } from 'ssh2'
import type { SshConnection } from '../ssh/connect.ts'

/** Adapts a channel to the socket that node:http expects. */
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
      // After the remaining data was read.
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
