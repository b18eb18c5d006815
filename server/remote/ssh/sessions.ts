import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientChannel } from 'ssh2'
import { ConnectionLost, RemoteError } from '../errors.ts'
import type { ExitStatus } from '../host.ts'
import { createSemaphore } from '../../platform/async.ts'
import type { SshConnection } from './connect.ts'
import { connectionLostError } from './ssh-errors.ts'
import type { SharedConnection } from './shared-connection.ts'

/** By default, sshd allows 10 sessions (MaxSessions). Two are left to others. */
const atOnce = 8
/** Milliseconds after which a released session counts as closed, even if the server does not confirm it. */
const confirmFor = 5_000
/** Milliseconds to retry while all sessions are in use, because released sessions may still be closing. */
const retryFor = 20_000

type ChannelCallback = (error: Error | undefined, channel: ClientChannel) => void

export interface Session {
  channel: ClientChannel
  ended: Promise<ExitStatus>
  release(): void
}

export function createSessions(keeper: SharedConnection) {
  const semaphore = createSemaphore(atOnce)
  async function open(
    ask: (client: Client, done: ChannelCallback) => void,
    signal?: AbortSignal,
  ): Promise<Session> {
    const giveBack = await semaphore.acquire(signal)
    const release = keeper.acquire()
    const leave = () => {
      giveBack()
      release()
    }
    try {
      const session = await openOnce(keeper, ask, signal)
      void session.closed.then(leave)
      return {
        ...session,
        release() {
          session.channel.close()
          // The channel ends only when all its data was read.
          session.channel.resume()
          session.channel.stderr.resume()
          // A session that does not close must not block others forever.
          setTimeout(leave, confirmFor).unref()
        },
      }
    } catch (error) {
      leave()
      throw error
    }
  }
  return { open, crowded: () => semaphore.isFull() }
}

async function openOnce(
  keeper: SharedConnection,
  ask: (client: Client, done: ChannelCallback) => void,
  signal: AbortSignal | undefined,
): Promise<OpenSession> {
  for (const start = Date.now(); ;) {
    const link = await keeper.connection(signal)
    const pause = 50 + Math.min((Date.now() - start) / 4, 1_000)
    try {
      return await openChannel(link, ask)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof RemoteError) throw error
      if (Date.now() - start > retryFor)
        throw new RemoteError(
          'All SSH sessions that sshd allows are in use. Close some, or raise MaxSessions.',
        )
      await sleep(pause, undefined, { signal })
    }
  }
}

function openChannel(
  link: SshConnection,
  ask: (client: Client, done: ChannelCallback) => void,
): Promise<OpenSession> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      stop()
      reject(link.lostReason() ?? error)
    }
    const stop = link.onLost(fail)
    try {
      ask(link.client, (error, channel) => {
        stop()
        if (error) reject(link.lostReason() ?? error)
        else resolve(toSession(channel, link))
      })
    } catch (error) {
      // ssh2 throws “Not connected” while it processes the end of the connection.
      fail(connectionLostError(error instanceof Error ? error : undefined))
    }
  })
}

type OpenSession = Omit<Session, 'release'> & { closed: Promise<unknown> }

/** Listens to the channel immediately, because a short program may exit in the packet that opens the channel. */
function toSession(channel: ClientChannel, link: SshConnection): OpenSession {
  // Without this listener, a write after the end would throw an uncaught error.
  channel.on('error', () => {})
  // ssh2 destroys the channel before the exit code arrives, so `destroy` does nothing.
  channel.destroy = () => channel
  let end: ExitStatus | undefined
  channel.once('exit', (code: number | null, signal?: string) => (end = { code, signal: signal ?? null }))
  const ended = new Promise<ExitStatus>((resolve, reject) => {
    const stop = link.onLost(reject)
    channel.once('close', () => {
      stop()
      const known = end
      if (known) afterErrors(channel, () => resolve(known))
      else
        reject(
          link.lostReason() ?? new ConnectionLost('The server closed the session before the program exited.'),
        )
    })
  })
  const closed = ended.catch(() => {})
  return { channel, ended, closed }
}

function afterErrors({ stderr }: ClientChannel, done: () => void) {
  if (stderr.readableEnded || stderr.readableLength === 0) return done()
  stderr.once('end', done)
  if (stderr.readableFlowing === null) stderr.resume()
}
