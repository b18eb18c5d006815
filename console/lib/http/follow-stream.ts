import { call } from './call.ts'
import { pathOf } from './fill-path.ts'
import { SessionOver } from './failure.ts'
import { exponentialBackoff } from '../../../contract/shared/backoff.ts'

const longestWait = 10_000
/** The server beats every 15 seconds; a line that was cut without a word is silent. */
const longestSilence = 40_000

interface Listener {
  onOpen?: () => void
  onMessage: (message: unknown, id: string) => void
  /** Told with every attempt that failed; `opened` is false where the stream itself was refused. */
  onLost?: (opened: boolean) => void
}

/**
 * Follows a stream of the API, and takes it up again for as long as nobody stops it. Returns what does. The address is
 * asked for each time: it may say where to go on.
 */
export function followStream(
  address: (token: string) => string,
  { onOpen, onMessage, onLost }: Listener,
): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let attempt = 0

  async function connect() {
    try {
      // A ticket serves once, so the browser's own reconnecting would be refused.
      const { ticket } = await call(
        'POST /v1/stream-tickets',
        { body: { path: pathOf(address('')) } },
        AbortSignal.timeout(longestSilence),
      )
      if (!stopped) open(ticket)
    } catch (error) {
      if (!(error instanceof SessionOver)) lose()
    }
  }

  function open(ticket: string) {
    source?.close()
    source = new EventSource(address(ticket))
    let opened = false
    const hear = () => {
      clearTimeout(silence)
      if (!stopped) silence = setTimeout(() => lose(opened), longestSilence)
    }
    hear()
    source.addEventListener('beat', hear)
    source.addEventListener('open', () => {
      hear()
      opened = true
      attempt = 0
      onOpen?.()
    })
    source.addEventListener('message', ({ data, lastEventId }) => {
      hear()
      // Whoever stopped in the middle of a burst hears nothing more of it.
      if (!stopped) onMessage(JSON.parse(String(data)), lastEventId)
    })
    source.addEventListener('error', () => lose(opened))
  }

  function lose(opened?: boolean) {
    clearTimeout(silence)
    source?.close()
    if (stopped) return
    onLost?.(opened ?? true)
    const wait = exponentialBackoff(attempt, 500, longestWait, Math.random())
    attempt += 1
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), wait)
  }

  function hurry() {
    if (attempt === 0) return
    clearTimeout(timer)
    void connect()
  }

  void connect()
  window.addEventListener('online', hurry)
  return () => {
    stopped = true
    window.removeEventListener('online', hurry)
    clearTimeout(timer)
    clearTimeout(silence)
    source?.close()
  }
}
