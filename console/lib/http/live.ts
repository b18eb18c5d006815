import type { QueryClient } from '@tanstack/react-query'
import { invalidate } from './invalidate.ts'
import { fillPath } from './fill-path.ts'
import { followStream } from './follow-stream.ts'
import { affectedQueryKeys } from './live-keys.ts'
import { whenLoaded } from '../when-idle.ts'

/**
 * Follows the events of the workspace and invalidates the affected queries. Events are missed before the stream opens,
 * so each opening invalidates all queries. Returns a function that stops it.
 */
export const followLiveEvents = (client: QueryClient, onState: (state: 'connected' | 'lost') => void) =>
  followStream((token) => fillPath('/v1/live', { query: { token } }), {
    onOpen: () => {
      const missed = new Set(client.getQueryCache().getAll())
      // Wait until the page is loaded, because otherwise all its requests would be repeated.
      whenLoaded(() => invalidate(client, { predicate: (query) => missed.has(query) }))
      onState('connected')
    },
    onMessage: (message) => refresh(client, message),
    onLost: (opened) => {
      // A refused stream may mean that the user is no longer a member of the workspace.
      if (!opened) void client.invalidateQueries({ queryKey: ['workspaces', 'current'] })
      onState('lost')
    },
  })

function refresh(client: QueryClient, message: unknown) {
  const type =
    typeof message === 'object' && message !== null && 'type' in message ? String(message.type) : ''
  const keys = affectedQueryKeys(type)
  if (keys) for (const key of keys) invalidate(client, { queryKey: [key] })
  else invalidate(client)
}
