import { setMaxListeners } from 'node:events'
import type { Nudge } from '../../../contract/shared/events.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { ConnectionLost } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import type { ServerRow } from '../servers/server.ts'
import { createThrottle } from './throttle.ts'
import { readContainers } from './read-containers.ts'
import { refreshContainer } from './refresh-container.ts'
import { replaceContainers, setContainersLive } from './store.ts'
import { insertOomKill } from './oom-kills.ts'
import { readJsonLines } from '../../remote/docker/json-lines.ts'

/** One container is read no more often than that, whatever happens to it. */
const READ_EVERY = 100

interface Following {
  signal: AbortSignal
  tell: (type: Nudge) => void
  onLive: () => void
}

/** Reads all containers of a server, and then each that changes. Throws when it cannot be done any longer. */
export async function followContainers(
  ctx: Context,
  server: ServerRow,
  docker: Docker,
  { signal, tell, onLive }: Following,
): Promise<never> {
  const ending = new AbortController()
  // Every container that waits for its turn listens to it.
  setMaxListeners(0, ending.signal)
  const end = () => ending.abort(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    // Before the containers are read, so that no change is missed in between.
    const events = await openEvents(docker, ending.signal)
    const known = readAll(ctx, server, docker, ending.signal)
    const refreshed = createRefreshing(ctx, server, docker, { known, tell, signal: ending.signal })
    return await Promise.race([
      known.then(onLive).then(() => refreshed.failed),
      refreshed.failed,
      hear(events, tell, refreshed.hear),
    ])
  } finally {
    signal.removeEventListener('abort', end)
    ending.abort(new Error('The watcher stopped.'))
  }
}

async function readAll(ctx: Context, server: ServerRow, docker: Docker, signal: AbortSignal): Promise<void> {
  const { workspace_id, id } = server
  const containers = await readContainers(docker, signal)
  await transaction(ctx.db, async (trx) => {
    // Before it counts as followed: what changed may have changed long ago.
    await replaceContainers(trx, workspace_id, id, containers)
    if (!(await setContainersLive(trx, workspace_id, server, true)))
      throw new Error('Another process now watches this server.')
  })
}

interface Refreshing {
  known: Promise<void>
  tell: (type: Nudge) => void
  signal: AbortSignal
}

/** Containers that changed are read anew, as soon as all were read once. */
function createRefreshing(
  ctx: Context,
  server: ServerRow,
  docker: Docker,
  { known, tell, signal }: Refreshing,
) {
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => (fail = reject))
  /** Those that came, went or have another name: images are used by others than before. */
  const users = new Set<string>()
  /** Those of which the kernel has ended a process. */
  const short = new Set<string>()
  const ask = createThrottle(
    READ_EVERY,
    async (id: string) => {
      await known
      if (short.delete(id)) await insertOomKill(ctx.db, server.workspace_id, server.id, id)
      await refreshContainer(ctx, server, docker, id, signal)
      tell('container.changed')
      if (users.delete(id)) tell('image.changed')
    },
    { signal, onError: fail },
  )
  function hear({ Action, Actor: { ID: id } }: DockerEvent) {
    if (Action === 'create' || Action === 'destroy' || Action === 'rename') users.add(id)
    if (Action === 'oom') short.add(id)
    ask(id)
  }
  return { hear, failed }
}

/** Throws when there is nothing more to hear. */
async function hear(
  events: AsyncIterable<DockerEvent>,
  tell: (type: Nudge) => void,
  refresh: (event: DockerEvent) => void,
): Promise<never> {
  for await (const event of events)
    if (event.Type === 'image') tell('image.changed')
    else if (changesContainer(event)) refresh(event)
  throw new ConnectionLost('The Docker event stream ended.')
}

/** What Docker tells of. */
interface DockerEvent {
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

const changesContainer = ({ Type, Action }: DockerEvent) =>
  Type === 'container' && changing.has(Action.split(':', 1)[0] ?? '')

/**
 * All that happens to containers and images, from before this resolves on: Docker answers a moment before it begins to
 * listen, so it is asked for the last moments as well. Does not end before Docker breaks off.
 */
async function openEvents(docker: Docker, signal: AbortSignal): Promise<AsyncIterable<DockerEvent>> {
  // The clock is the server's.
  const { SystemTime } = await docker.json<{ SystemTime: string }>({ path: '/info', signal })
  const since = Math.floor(Date.parse(SystemTime) / 1_000) - 1
  const filters = JSON.stringify({ type: ['container', 'image'] })
  const query = new URLSearchParams({ since: String(since), filters })
  return readJsonLines<DockerEvent>(await docker.stream({ path: `/events?${query.toString()}`, signal }))
}
