import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Duplex, pipeline, type Readable } from 'node:stream'
import { abortable, createSemaphore } from '../platform/async.ts'
import { type EngineVersion, readEngine } from './docker/api-version.ts'
import { isAccepted, readResponse, readError, timeoutError } from './docker/read-response.ts'
import { ConnectionLost, type DockerError, RemoteError } from './errors.ts'
import type { Docker, DockerEngine, DockerRequest } from './host.ts'
import { StringDecoder } from 'node:string_decoder'

/** Default folder of images and containers. Docker on a server may be configured to use another. */
export const defaultDockerRoot = '/var/lib/docker'

const MAX_INSPECTIONS = 8
const maxVersionBytes = 64 * 1024
const maxJsonBytes = 64 * 1024 ** 2
const defaultTimeout = 30_000

export interface DockerTransport {
  open(): Promise<Duplex>
  /** Marks the transport as in use until the returned function is called. */
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

interface Agreement extends DockerEngine {
  /** Identity of the engine, which each response contains. */
  identity: string
}

export function createDocker(transport: DockerTransport): Docker & { close(): void } {
  const pooled = createAgent(transport, { keepAlive: true, maxFreeSockets: 8, scheduling: 'lifo' })
  // Requests that must not be repeated get a new connection, because a pooled one may be broken.
  const fresh = createAgent(transport, { keepAlive: false })

  let agreed: Agreement | undefined
  let negotiating: Promise<Agreement> | undefined

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
    const { method = 'GET', path, body, headers, signal, timeout = defaultTimeout, input, upgrade } = call
    const release = transport.acquire()
    return new Promise<ApiReply>((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const request = httpRequest({
        agent,
        method,
        host: 'docker',
        path,
        headers: {
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...(upgrade && { connection: 'Upgrade', upgrade: 'tcp' }),
          ...headers,
        },
        ...(signal && { signal }),
      })
      const late = setTimeout(() => request.destroy(timeoutError(timeout)), timeout)
      request.once('close', () => clearTimeout(late)).once('close', release)
      request.once('response', (reply) => {
        clearTimeout(late)
        // Readers still receive the error. Without this listener, an abandoned response would end the process.
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

  async function exchange(call: ApiRequest): Promise<ApiReply> {
    try {
      return await sendOrRetry(call)
    } catch (error) {
      // Docker may have another version when it is reachable again, so the agreed API version is dropped.
      agreed = undefined
      throw error instanceof SocketNotOpened ? await transport.diagnose() : error
    }
  }

  async function negotiate(): Promise<Agreement> {
    const { reply } = await exchange({ path: '/version' })
    const answer = await readResponse<EngineVersion>(reply, maxVersionBytes, defaultTimeout)
    agreed = { ...readEngine(answer), identity: identify(reply) }
    return agreed
  }

  async function agreement({ signal, timeout = defaultTimeout }: NegotiationLimits): Promise<Agreement> {
    if (agreed) return agreed
    signal?.throwIfAborted()
    negotiating ??= negotiate().finally(() => (negotiating = undefined))
    return abortable(withTimeout(negotiating, timeout), signal)
  }

  async function requestReply(call: ApiRequest, isRepeated = false): Promise<ApiReply> {
    const { apiVersion, identity } = await agreement(call)
    const result = await exchange({ ...call, path: `/v${apiVersion}${call.path}` })
    const { reply } = result
    // Another identity means that Docker was replaced or reconfigured while no connection was open.
    if (identify(reply) !== identity) agreed = undefined
    if (isAccepted(reply)) return result
    const error = await readError(reply, call.timeout ?? defaultTimeout)
    if (!refusesVersion(error)) throw error
    agreed = undefined
    // Docker refuses an API version before it does anything, so the request is safe to repeat. An input stream cannot
    // be sent twice.
    if (isRepeated || call.input) throw error
    return requestReply(call, true)
  }

  return {
    inspections: createSemaphore(MAX_INSPECTIONS),
    engine: (limits = {}) => agreement(limits),
    json: async <T>(call: DockerRequest) =>
      readResponse<T>((await requestReply(call)).reply, maxJsonBytes, call.timeout ?? defaultTimeout),
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

type NegotiationLimits = Pick<DockerRequest, 'signal' | 'timeout'>

/** Docker sends its version and its newest API version with every response, which identify the engine. */
const identify = ({ headers }: IncomingMessage) => JSON.stringify([headers.server, headers['api-version']])

const refusesVersion = ({ status, message }: DockerError) =>
  status === 400 && /client version \S+ is too (old|new)/i.test(message)

function withTimeout<T>(work: Promise<T>, timeout: number): Promise<T> {
  let late: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(timeoutError(timeout)), timeout)
  })
  return Promise.race([work, tooLate]).finally(() => clearTimeout(late))
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

/** Parses events or the progress of a pull line by line. Throws `ConnectionLost` when the stream is interrupted. */
export async function* readJsonLines<T>(stream: Readable): AsyncGenerator<T> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  try {
    for await (const piece of stream) {
      const lines = (rest + decoder.write(piece)).split('\n')
      rest = lines.pop() ?? ''
      // The assertion is the responsibility of the caller, who declares the type of a line.
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as T
    }
  } catch {
    throw new ConnectionLost('Docker closed the connection in the middle of its response.')
  }
}
