import { onTestFinished } from 'vitest'
import { joinSocket } from './sockets.ts'

type Query = Record<string, string | number>

/** `server` is its id; with `/containers/` and a container's id behind it, the terminal is in there. */
export function terminalUrl(url: string, server: string, query: Query = {}): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return `${url}/v1/servers/${server}/terminal?${search.toString()}`
}

/** Opens a terminal that has to open; it ends with the test, and its shell too. */
export async function enterTerminal(url: string, server: string, token: string, query?: Query) {
  const socket = await joinSocket(terminalUrl(url, server, query), { authorization: `Bearer ${token}` })
  // Without this the shell would wait for a minute, and the next test might find the server full.
  onTestFinished(() => socket.close())
  const { session, resumed } = await socket.message('opened')
  return {
    ...socket,
    session: String(session),
    resumed: resumed === true,
    type: (data: string) => socket.send({ type: 'input', data }),
  }
}
