import type { Client, ClientChannel } from 'ssh2'
import { ConnectionLost } from '../errors.ts'
import { ChannelSocket } from '../docker/channel-socket.ts'
import type { SharedConnection } from './shared-connection.ts'

type Ask = (client: Client, done: (error: Error | undefined, channel: ClientChannel) => void) => void

/** A channel that leads to something on the server. These do not count as sessions: a server takes a hundred of them. */
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

/** To a port that the server reaches. */
export const dialPort = (keeper: SharedConnection, address: string, port: number) =>
  dialAndHold(keeper, (client, done) => client.forwardOut('127.0.0.1', 0, address, port, done))

/** To a socket in its file system. */
export const dialSocket = (keeper: SharedConnection, path: string) =>
  dialAndHold(keeper, (client, done) => client.openssh_forwardOutStreamLocal(path, done))

/** The connection is in use for as long as the channel is open. */
async function dialAndHold(keeper: SharedConnection, ask: Ask): Promise<ChannelSocket> {
  const letGo = keeper.acquire()
  try {
    return (await openChannelSocket(keeper, ask)).once('close', letGo)
  } catch (error) {
    letGo()
    throw error
  }
}
