import type { Client, ClientChannel } from 'ssh2'
import { Lost } from '../errors.ts'
import { ChannelSocket } from '../docker/channel-socket.ts'
import type { Keeper } from './keeper.ts'

type Ask = (client: Client, done: (error: Error | undefined, channel: ClientChannel) => void) => void

/** A channel that leads to something on the server. These do not count as sessions: a server takes a hundred of them. */
export async function openChannel(keeper: Keeper, ask: Ask): Promise<ChannelSocket> {
  const link = await keeper.link()
  return new Promise((resolve, reject) => {
    const stop = link.onGone(reject)
    try {
      ask(link.client, (error, channel) => {
        stop()
        if (error) reject(link.gone() ?? error)
        else resolve(new ChannelSocket(channel, link))
      })
    } catch {
      stop()
      reject(link.gone() ?? new Lost('The connection to the server was lost.'))
    }
  })
}

/** To a port that the server reaches. */
export const dial = (keeper: Keeper, address: string, port: number) =>
  held(keeper, (client, done) => client.forwardOut('127.0.0.1', 0, address, port, done))

/** To a socket in its file system. */
export const dialSocket = (keeper: Keeper, path: string) =>
  held(keeper, (client, done) => client.openssh_forwardOutStreamLocal(path, done))

/** The connection is in use for as long as the channel is open. */
async function held(keeper: Keeper, ask: Ask): Promise<ChannelSocket> {
  const letGo = keeper.hold()
  try {
    return (await openChannel(keeper, ask)).once('close', letGo)
  } catch (error) {
    letGo()
    throw error
  }
}
