import { onTestFinished } from 'vitest'
import { joinSocket } from './sockets.ts'

type Query = Record<string, string | number>

/** `server` is an ID, optionally followed by `/containers/` and a container ID. */
export function terminalUrl(url: string, server: string, query: Query = {}): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return `${url}/v1/servers/${server}/terminal?${search.toString()}`
}

/** Opens a terminal that ends with the test. */
export async function enterTerminal(url: string, server: string, token: string, query?: Query) {
  const socket = await joinSocket(terminalUrl(url, server, query), { authorization: `Bearer ${token}` })
  // Otherwise the shell would wait a minute and occupy a slot.
  onTestFinished(() => socket.close())
  const { session, resumed } = await socket.message('opened')
  return {
    ...socket,
    session: String(session),
    resumed: resumed === true,
    type: (data: string) => socket.send({ type: 'input', data }),
  }
}
