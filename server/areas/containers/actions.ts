import type { z } from 'zod'
import type { actOnContainer, containerActions } from '../../../contract/containers.ts'
import type { EventType } from '../../../contract/events.ts'
import type { DockerRequest } from '../../remote/host.ts'

export type Action = (typeof containerActions)[number]
/** An action with what it is given. */
export type Wish = z.output<typeof actOnContainer.body>

/** What Docker is asked for. */
export function requestOf(id: string, wish: Wish): DockerRequest {
  const path = `/containers/${id}`
  if (wish.action !== 'remove') {
    const query = new URLSearchParams(optionsOf(wish)).toString()
    return { method: 'POST', path: `${path}/${wish.action}?${query}` }
  }
  const query = new URLSearchParams({ force: String(wish.force ?? false), v: String(wish.volumes ?? false) })
  return { method: 'DELETE', path: `${path}?${query.toString()}` }
}

function optionsOf({ action, name = '', signal = SIGNAL }: Wish): Record<string, string> {
  if (action === 'rename') return { name }
  return action === 'kill' ? { signal } : {}
}

const SIGNAL = 'SIGKILL'

export const events: Record<Action, EventType> = {
  start: 'container.started',
  stop: 'container.stopped',
  restart: 'container.restarted',
  pause: 'container.paused',
  unpause: 'container.unpaused',
  kill: 'container.killed',
  rename: 'container.renamed',
  remove: 'container.removed',
}

/** What the audit log says after the name of the container. */
export function detailOf({ action, name, signal = SIGNAL }: Wish, server: string): string {
  if (action === 'rename') return `to ${name} on ${server}`
  return action === 'kill' ? `(${signal}) on ${server}` : `on ${server}`
}
