import type { Client, ClientChannel } from 'ssh2'
import { ConnectionLost } from '../errors.ts'
import { ChannelSocket } from '../docker/channel-socket.ts'
import type { SharedConnection } from './shared-connection.ts'

type Ask = (client: Client, done: (error: Error | undefined, channel: ClientChannel) => void) => void

/** Channels do not count as sessions: a server allows about a hundred. */
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

/** Keeps the connection in use while the channel is open. */
async function dialAndHold(keeper: SharedConnection, ask: Ask): Promise<ChannelSocket> {
  const letGo = keeper.acquire()
  try {
    return (await openChannelSocket(keeper, ask)).once('close', letGo)
  } catch (error) {
    letGo()
    throw error
  }
}
