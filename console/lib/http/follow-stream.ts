import { callApi } from './call-api.ts'
import { stripQuery } from './fill-path.ts'
import { SessionEnded } from './api-error.ts'
import { exponentialBackoff } from '../../../contract/shared/backoff.ts'

const longestWait = 10_000
/** Silence after which the connection counts as lost. The server sends a heartbeat every 15 seconds. */
const longestSilence = 40_000

interface Listener {
  onOpen?: () => void
  onMessage: (message: unknown, id: string) => void
  /** Called for each failed attempt. `opened` is false if the server refused the stream. */
  onLost?: (opened: boolean) => void
}

/**
 * Follows an event stream and reconnects until the returned function is called. Each attempt calls `address`, because
 * the position to resume from may have changed.
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
  /** Counts connections. The outcome of a ticket request is ignored once a later connection was started. */
  let connections = 0

  async function connect() {
    const connection = ++connections
    try {
      // A ticket is valid once, so EventSource cannot reconnect by itself.
      const { ticket } = await callApi(
        'POST /v1/stream-tickets',
        { body: { path: stripQuery(address('')) } },
        AbortSignal.timeout(longestSilence),
      )
      if (!stopped && connection === connections) open(ticket)
    } catch (error) {
      if (!(error instanceof SessionEnded) && connection === connections) lose()
    }
  }

  function open(ticket: string) {
    source?.close()
    source = new EventSource(address(ticket))
    let opened = false
    const restartSilenceTimer = () => {
      clearTimeout(silence)
      if (!stopped) silence = setTimeout(() => lose(opened), longestSilence)
    }
    restartSilenceTimer()
    source.addEventListener('beat', restartSilenceTimer)
    source.addEventListener('open', () => {
      restartSilenceTimer()
      opened = true
      attempt = 0
      onOpen?.()
    })
    source.addEventListener('message', ({ data, lastEventId }) => {
      restartSilenceTimer()
      // Events of a burst may still arrive after the caller stopped.
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
