import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Duplex, pipeline, type Readable } from 'node:stream'
import { createSemaphore } from '../platform/async.ts'
import { ConnectionLost, DockerError, RemoteError, RemoteTimeout } from './errors.ts'
import type { Docker, DockerRequest } from './host.ts'
import { StringDecoder } from 'node:string_decoder'

const MAX_INSPECTIONS = 8
/** The oldest API version that all supported engines have. */
const version = '/v1.41'

export interface DockerTransport {
  open(): Promise<Duplex>
  /** The transport is in use until the returned function is called. */
  acquire(): () => void
  diagnose(): Promise<Error>
}

interface ApiRequest extends DockerRequest {
  input?: Readable | undefined
  upgrade?: boolean
}

interface ApiReply {
  reply: IncomingMessage
  socket?: Duplex
}

export function createDocker(way: DockerTransport): Docker & { close(): void } {
  const kept = createAgent(way, { keepAlive: true, maxFreeSockets: 8, scheduling: 'lifo' })
  // Requests that must not repeat get a new connection: a pooled one may be dead.
  const fresh = createAgent(way, { keepAlive: false })

  async function ask(given: ApiRequest): Promise<ApiReply> {
    const repeatable = (given.method ?? 'GET') === 'GET' || given.method === 'HEAD'
    if (!repeatable || given.input || given.upgrade) return send(fresh, given)
    try {
      return await send(kept, given)
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error
      return send(fresh, given)
    }
  }

  function send(agent: Agent, given: ApiRequest) {
    const { method = 'GET', path, body, headers, signal, timeout = 30_000, input, upgrade } = given
    const letGo = way.acquire()
    return new Promise<ApiReply>((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const asked = httpRequest({
        agent,
        method,
        host: 'docker',
        path: version + path,
        headers: {
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...(upgrade && { connection: 'Upgrade', upgrade: 'tcp' }),
          ...headers,
        },
        ...(signal && { signal }),
      })
      const late = setTimeout(
        () => asked.destroy(new RemoteTimeout(`Docker did not respond within ${timeout / 1_000} seconds.`)),
        timeout,
      )
      asked.once('close', () => clearTimeout(late)).once('close', letGo)
      asked.once('response', (reply) => {
        clearTimeout(late)
        // Readers still get the error; an abandoned response must not crash the process.
        reply.on('error', () => {})
        resolve({ reply })
      })
      asked.once('upgrade', (reply, socket, head) => {
        clearTimeout(late)
        socket.once('close', way.acquire())
        if (head.length > 0) socket.unshift(head)
        resolve({ reply, socket })
      })
      asked.on('error', (error) => {
        if (signal?.aborted) reject(signal.reason)
        else if (error instanceof RemoteError) reject(error)
        else if (error instanceof SocketNotOpened) reject(error)
        else if (asked.reusedSocket) reject(new StaleConnection())
        else reject(new ConnectionLost('Docker closed the connection before it responded.'))
      })
      if (input) pipeline(input, asked, () => {})
      else asked.end(text)
    })
  }

  async function answer(given: ApiRequest): Promise<ApiReply> {
    const answered = await ask(given).catch(async (error: unknown) => {
      throw error instanceof SocketNotOpened ? await way.diagnose() : error
    })
    const { reply } = answered
    if ((reply.statusCode ?? 500) < 400) return answered
    const text = (await textOf(reply)).slice(0, 64 * 1024)
    throw new DockerError(reply.statusCode ?? 500, messageOf(text))
  }

  return {
    inspections: createSemaphore(MAX_INSPECTIONS),
    async json<T>(given: DockerRequest): Promise<T> {
      const text = await textOf((await answer(given)).reply)
      // The caller declares the type that Docker documents.
      return (text === '' ? undefined : JSON.parse(text)) as T
    },
    stream: async (given) => (await answer(given)).reply,
    async hijack(given) {
      const { reply, socket } = await answer({ ...given, upgrade: true })
      if (socket) return socket
      reply.destroy()
      throw new RemoteError('Docker did not upgrade the connection.')
    },
    close() {
      kept.destroy()
      fresh.destroy()
    },
  }
}

class StaleConnection extends Error {}

class SocketNotOpened extends Error {}

function createAgent(way: DockerTransport, options: ConstructorParameters<typeof Agent>[0]): Agent {
  const agent = new Agent(options)
  agent.createConnection = (_options, done) => {
    if (done) void provide(way, done)
    return undefined
  }
  return agent
}

async function provide(
  way: DockerTransport,
  done: (error: Error | null, socket: Duplex) => void,
): Promise<void> {
  try {
    done(null, await way.open())
  } catch (error) {
    done(error instanceof RemoteError ? error : new SocketNotOpened(), new Duplex())
  }
}

async function textOf(reply: Readable): Promise<string> {
  try {
    return Buffer.concat(await reply.toArray()).toString()
  } catch {
    throw new ConnectionLost('Docker closed the connection in the middle of its response.')
  }
}

function messageOf(text: string): string {
  try {
    const { message } = { message: undefined, ...JSON.parse(text) }
    return typeof message === 'string' && message ? message : text
  } catch {
    return text.trim() || 'Docker refused the request without a reason.'
  }
}

/** Parses events or pull progress line by line. Throws `ConnectionLost` when the stream breaks off. */
export async function* readJsonLines<T>(stream: Readable): AsyncGenerator<T> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  try {
    for await (const piece of stream) {
      const lines = (rest + decoder.write(piece)).split('\n')
      rest = lines.pop() ?? ''
      // The caller declares the type.
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as T
    }
  } catch {
    throw new ConnectionLost('Docker closed the connection in the middle of its response.')
  }
}
