import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { echoOverTcp, openWebSocket } from './load-sockets.ts'

export interface LoadOptions {
  /** Address of the proxy. */
  address: string
  /** Requested host. */
  host: string
  port?: number
  /** Concurrent clients of each kind. */
  keepAlive?: number
  fresh?: number
  webSockets?: number
  slow?: number
  /** Duration of a slow response; five seconds by default. */
  slowMs?: number
  tcp?: { port: number; clients: number }
  /** Pause between requests of one client. */
  pauseMs?: number
}

export interface LoadResult {
  /** Responses by kind. */
  done: Record<string, number>
  /** Failures with the kind of client and reason. */
  failures: string[]
  /** Versions in order of their first response. */
  versions: string[]
}

export interface Load {
  /** Current result. */
  result: LoadResult
  /** Lets every client finish its request. */
  stop(): Promise<LoadResult>
}

/** Clients of rig/app that never stop. A refused, broken or wrong response is a failure. */
export function startLoad(options: LoadOptions): Load {
  const { keepAlive = 0, fresh = 0, webSockets = 0, slow = 0, slowMs = 5_000, tcp, pauseMs = 5 } = options
  const result: LoadResult = { done: {}, failures: [], versions: [] }
  const ending = new AbortController()
  const isOver = () => ending.signal.aborted

  const succeed = (kind: string, version: string) => {
    result.done[kind] = (result.done[kind] ?? 0) + 1
    if (version !== '' && !result.versions.includes(version)) result.versions.push(version)
  }

  async function repeat(kind: string, once: () => Promise<string>): Promise<void> {
    while (!isOver()) {
      try {
        succeed(kind, await once())
      } catch (error) {
        result.failures.push(`${kind}: ${error instanceof Error ? error.message : String(error)}`)
        await sleep(50)
      }
      await sleep(pauseMs)
    }
  }

  const kept = (kind: string, path: string) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    return repeat(kind, () => ask(options, path, agent)).finally(() => agent.destroy())
  }
  const times = (count: number, begin: () => Promise<void>) => Array.from({ length: count }, begin)
  const all = [
    ...times(keepAlive, () => kept('keep-alive', '/')),
    ...times(fresh, () => repeat('fresh', () => ask(options, '/', false))),
    ...times(slow, () => kept('slow', `/slow?ms=${slowMs}`)),
    ...times(webSockets, () => talk(options, isOver, succeed, result.failures)),
    ...(tcp ? times(tcp.clients, () => repeat('tcp', () => echoOverTcp(options.address, tcp.port))) : []),
  ]
  return {
    result,
    async stop() {
      ending.abort()
      await Promise.all(all)
      return result
    },
  }
}

/** Returns the version that responded. */
function ask({ address, host, port = 80 }: LoadOptions, path: string, agent: Agent | false): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = get({ host: address, port, path, agent, headers: { host } }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      reply.once('error', reject)
      reply.once('end', () => {
        if (reply.statusCode === 200 && reply.complete) resolve(String(reply.headers['x-version'] ?? ''))
        else reject(new Error(`${reply.statusCode} ${text.slice(0, 100)}`))
      })
    })
    asked.setTimeout(60_000, () => asked.destroy(new Error('No answer within a minute.')))
    asked.once('error', reject)
  })
}

/** Reopens after a close frame; a broken connection is a failure. */
async function talk(
  { address, host, port = 80 }: LoadOptions,
  isOver: () => boolean,
  succeed: (kind: string, version: string) => void,
  failures: string[],
): Promise<void> {
  while (!isOver()) {
    try {
      const socket = await openWebSocket(address, port, host)
      while (!isOver() && !socket.isClosed()) {
        await socket.echo()
        succeed('web-socket', '')
        await sleep(50)
      }
      socket.close()
    } catch (error) {
      failures.push(`web-socket: ${error instanceof Error ? error.message : String(error)}`)
      await sleep(50)
    }
  }
}
