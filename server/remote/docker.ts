import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Duplex, pipeline, type Readable } from 'node:stream'
import { createSemaphore } from '../platform/async.ts'
import { ConnectionLost, DockerError, RemoteError, RemoteTimeout } from './errors.ts'
import type { Docker, DockerRequest } from './host.ts'
import { StringDecoder } from 'node:string_decoder'

/** Folder of images and containers, unless the server configures another. */
export const defaultDockerRoot = '/var/lib/docker'

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

export function createDocker(transport: DockerTransport): Docker & { close(): void } {
  const pooled = createAgent(transport, { keepAlive: true, maxFreeSockets: 8, scheduling: 'lifo' })
  // Requests that must not repeat get a new connection: a pooled one may be dead.
  const fresh = createAgent(transport, { keepAlive: false })

  async function sendOrRetry(call: ApiRequest): Promise<ApiReply> {
    const repeatable = (call.method ?? 'GET') === 'GET' || call.method === 'HEAD'
    if (!repeatable || call.input || call.upgrade) return send(fresh, call)
    try {
      return await send(pooled, call)
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error
      return send(fresh, call)
    }
  }

  function send(agent: Agent, call: ApiRequest) {
    const { method = 'GET', path, body, headers, signal, timeout = 30_000, input, upgrade } = call
    const release = transport.acquire()
    return new Promise<ApiReply>((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const request = httpRequest({
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
        () => request.destroy(new RemoteTimeout(`Docker did not respond within ${timeout / 1_000} seconds.`)),
        timeout,
      )
      request.once('close', () => clearTimeout(late)).once('close', release)
      request.once('response', (reply) => {
        clearTimeout(late)
        // Readers still get the error; an abandoned response must not crash the process.
        reply.on('error', () => {})
        resolve({ reply })
      })
      request.once('upgrade', (reply, socket, head) => {
        clearTimeout(late)
        socket.once('close', transport.acquire())
        if (head.length > 0) socket.unshift(head)
        resolve({ reply, socket })
      })
      request.on('error', (error) => {
        if (signal?.aborted) reject(signal.reason)
        else if (error instanceof RemoteError) reject(error)
        else if (error instanceof SocketNotOpened) reject(error)
        else if (request.reusedSocket) reject(new StaleConnection())
        else reject(new ConnectionLost('Docker closed the connection before it responded.'))
      })
      if (input) pipeline(input, request, () => {})
      else request.end(text)
    })
  }

  async function requestReply(call: ApiRequest): Promise<ApiReply> {
    const result = await sendOrRetry(call).catch(async (error: unknown) => {
      throw error instanceof SocketNotOpened ? await transport.diagnose() : error
    })
    const { reply } = result
    if ((reply.statusCode ?? 500) < 400) return result
    const text = (await readText(reply)).slice(0, 64 * 1024)
    throw new DockerError(reply.statusCode ?? 500, errorMessage(text))
  }

  return {
    inspections: createSemaphore(MAX_INSPECTIONS),
    async json<T>(call: DockerRequest): Promise<T> {
      const text = await readText((await requestReply(call)).reply)
      // The caller declares the type that Docker documents.
      return (text === '' ? undefined : JSON.parse(text)) as T
    },
    stream: async (call) => (await requestReply(call)).reply,
    async hijack(call) {
      const { reply, socket } = await requestReply({ ...call, upgrade: true })
      if (socket) return socket
      reply.destroy()
      throw new RemoteError('Docker did not upgrade the connection.')
    },
    close() {
      pooled.destroy()
      fresh.destroy()
    },
  }
}

class StaleConnection extends Error {}

class SocketNotOpened extends Error {}

function createAgent(transport: DockerTransport, options: ConstructorParameters<typeof Agent>[0]): Agent {
  const agent = new Agent(options)
  agent.createConnection = (_options, done) => {
    if (done) void provide(transport, done)
    return undefined
  }
  return agent
}

async function provide(
  transport: DockerTransport,
  done: (error: Error | null, socket: Duplex) => void,
): Promise<void> {
  try {
    done(null, await transport.open())
  } catch (error) {
    done(error instanceof RemoteError ? error : new SocketNotOpened(), new Duplex())
  }
}

async function readText(reply: Readable): Promise<string> {
  try {
    return Buffer.concat(await reply.toArray()).toString()
  } catch {
    throw new ConnectionLost('Docker closed the connection in the middle of its response.')
  }
}

function errorMessage(text: string): string {
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
