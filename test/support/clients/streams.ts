import { type IncomingMessage, request } from 'node:http'
import { onTestFinished, vi } from 'vitest'

export interface Heard {
  id: string
  data: unknown
}

export interface Stream {
  status: number
  headers: Record<string, string>
  /** Raw text. */
  text(): string
  heard: Heard[]
  ended: boolean
  /** Resolves with the first event of this type. */
  event(type: string): Promise<Heard>
  untilEnded(): Promise<void>
  /** Stops reading until resumed. */
  pause(): void
  resume(): void
  close(): void
}

/** Opens an event stream that ends with the test. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<Stream> {
  const asking = request(url, { headers, agent: false }).end()
  onTestFinished(() => void asking.destroy())
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asking.once('response', resolve).once('error', reject)
  })
  asking.on('error', () => {})
  const heard: Heard[] = []
  let [all, rest, ended] = ['', '', false]
  response.setEncoding('utf8').on('data', (chunk) => {
    all += String(chunk)
    const blocks = (rest + String(chunk)).split('\n\n')
    rest = blocks.pop() ?? ''
    heard.push(...blocks.flatMap(readBlock))
  })
  response.on('error', () => {}).on('close', () => (ended = true))
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(Object.entries(response.headers).map(([k, v]) => [k, String(v)])),
    text: () => all,
    heard,
    get ended() {
      return ended
    },
    event: (type) =>
      vi.waitFor(
        () => {
          const found = heard.find((event) => typeOf(event.data) === type)
          if (!found) throw new Error(`No ${type} among ${JSON.stringify(heard)}`)
          return found
        },
        { interval: 5 },
      ),
    untilEnded: () =>
      vi.waitFor(
        () => {
          if (!ended) throw new Error(`It goes on: ${JSON.stringify(heard)}`)
        },
        { interval: 10 },
      ),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void asking.destroy(),
  }
}

function readBlock(block: string): Heard[] {
  const lines = block.split('\n')
  const of = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const text = of('data')
  // Named events are heartbeats.
  if (text === undefined || of('event') !== undefined) return []
  const data: unknown = JSON.parse(text)
  return [{ id: of('id') ?? '', data }]
}

/** Events of merged streams are nested. */
function typeOf(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return undefined
  if ('event' in data) return typeOf(data.event)
  return 'type' in data ? data.type : undefined
}
