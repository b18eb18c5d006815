import type { QueryClient } from '@tanstack/react-query'
import { call } from './call.ts'
import { SessionOver } from './failure.ts'
import { keysTouchedBy } from './live-keys.ts'

const longestWait = 10_000

/**
 * Follows what changes in the workspace and has the touched queries ask again. Whenever the stream opens, everything
 * that was there before it, or had failed, is asked for again, since nobody knows what was missed. Returns what stops it.
 */
export function followLive(client: QueryClient, onState: (state: 'connected' | 'lost') => void): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let attempt = 0

  async function connect() {
    try {
      // A ticket serves once, so the browser's own reconnecting would be refused.
      const { ticket } = await call('POST /v1/stream-tickets')
      if (!stopped) open(ticket)
    } catch (error) {
      if (!(error instanceof SessionOver)) lose()
    }
  }

  function open(ticket: string) {
    source?.close()
    source = new EventSource(`/v1/live?token=${encodeURIComponent(ticket)}`)
    let opened = false
    source.addEventListener('open', () => {
      // What is on its way for the first time is not asked for twice.
      void client.invalidateQueries({
        predicate: ({ state }) => state.data !== undefined || state.status === 'error',
      })
      opened = true
      attempt = 0
      onState('connected')
    })
    source.addEventListener('message', (event) => refresh(client, String(event.data)))
    source.addEventListener('error', () => {
      // A refused stream may mean that one is no member any more.
      if (!opened) void client.invalidateQueries({ queryKey: ['workspaces', 'current'] })
      lose()
    })
  }

  function lose() {
    source?.close()
    if (stopped) return
    onState('lost')
    const wait = Math.min(longestWait, 500 * 2 ** attempt)
    attempt += 1
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), wait * (0.5 + Math.random() / 2))
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
    source?.close()
  }
}

function refresh(client: QueryClient, data: string) {
  const message: unknown = JSON.parse(data)
  const type =
    typeof message === 'object' && message !== null && 'type' in message ? String(message.type) : ''
  const keys = keysTouchedBy(type)
  if (keys) for (const key of keys) void client.invalidateQueries({ queryKey: [key] })
  else void client.invalidateQueries()
}
