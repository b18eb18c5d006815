import { jsonLines } from '../../remote/docker/json-lines.ts'
import type { Docker } from '../../remote/host.ts'

/** What Docker tells of. */
export interface DockerEvent {
  Type: string
  /** Some carry more after a colon: `health_status: healthy`. */
  Action: string
  Actor: { ID: string }
}

/** What changes something of a container that we know. Many others come with every command run and every look. */
const changing = new Set([
  'create',
  'start',
  'restart',
  'die',
  'stop',
  'oom',
  'pause',
  'unpause',
  'rename',
  'update',
  'health_status',
  'destroy',
])

export const changesContainer = ({ Type, Action }: DockerEvent) =>
  Type === 'container' && changing.has(Action.split(':', 1)[0] ?? '')

/**
 * All that happens to containers and images, from before this resolves on: Docker answers a moment before it begins to
 * listen, so it is asked for the last moments as well. Does not end before Docker breaks off.
 */
export async function openEvents(docker: Docker, signal: AbortSignal): Promise<AsyncIterable<DockerEvent>> {
  // The clock is the server's.
  const { SystemTime } = await docker.json<{ SystemTime: string }>({ path: '/info', signal })
  const since = Math.floor(Date.parse(SystemTime) / 1_000) - 1
  const filters = JSON.stringify({ type: ['container', 'image'] })
  const query = new URLSearchParams({ since: String(since), filters })
  return jsonLines<DockerEvent>(await docker.stream({ path: `/events?${query.toString()}`, signal }))
}
