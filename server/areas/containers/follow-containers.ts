import { exponentialBackoff } from '../../../contract/shared/backoff.ts'
import { setMaxListeners } from 'node:events'
import type { Nudge } from '../../../contract/shared/events.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { ConnectionLost } from '../../remote/errors.ts'
import type { Docker, Host } from '../../remote/host.ts'
import type { ServerRow } from '../servers/server.ts'
import { readContainers } from './read-containers.ts'
import { insertOomKill, refreshContainer } from './refresh-container.ts'
import { replaceContainers, setContainersLive } from './store.ts'
import { readJsonLines } from '../../remote/docker.ts'
import { nudge } from '../../events.ts'
import type { Watcher } from '../servers/watcher.ts'
import { pause } from '../../platform/async.ts'

const READ_EVERY = 100

export async function followContainers(
  ctx: Context,
  server: ServerRow,
  docker: Docker,
  { signal, notify, onLive }: { signal: AbortSignal; notify: (type: Nudge) => void; onLive: () => void },
): Promise<never> {
  const ending = new AbortController()
  // Every throttled container listens to this signal, which would trigger a leak warning of Node.js.
  setMaxListeners(0, ending.signal)
  const end = () => ending.abort(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    // Subscribe before reading, so that no change is missed in between.
    const events = await openEvents(docker, ending.signal)
    const known = readAll(ctx, server, docker, ending.signal)
    const refreshed = createRefreshing(ctx, server, docker, { known, notify, signal: ending.signal })
    return await Promise.race([
      known.then(onLive).then(() => refreshed.failed),
      refreshed.failed,
      followEvents(events, notify, refreshed.hear),
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
    // Replace rows before they count as live, because they may be outdated.
    await replaceContainers(trx, workspace_id, id, containers)
    if (!(await setContainersLive(trx, workspace_id, server, true)))
      throw new Error('Another process now watches this server.')
  })
}

function createRefreshing(
  ctx: Context,
  server: ServerRow,
  docker: Docker,
  { known, notify, signal }: { known: Promise<void>; notify: (type: Nudge) => void; signal: AbortSignal },
) {
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => (fail = reject))
  const imageUsers = new Set<string>()
  const oomKilled = new Set<string>()
  const ask = createThrottle(
    READ_EVERY,
    async (id: string) => {
      await known
      if (oomKilled.delete(id)) await insertOomKill(ctx.db, server.workspace_id, server.id, id)
      await refreshContainer(ctx, server, docker, id, signal)
      notify('container.changed')
      if (imageUsers.delete(id)) notify('image.changed')
    },
    { signal, onError: fail },
  )
  function followEvents({ Action, Actor: { ID: id } }: DockerEvent) {
    if (Action === 'create' || Action === 'destroy' || Action === 'rename') imageUsers.add(id)
    if (Action === 'oom') oomKilled.add(id)
    ask(id)
  }
  return { hear: followEvents, failed }
}

async function followEvents(
  events: AsyncIterable<DockerEvent>,
  notify: (type: Nudge) => void,
  refresh: (event: DockerEvent) => void,
): Promise<never> {
  for await (const event of events)
    if (event.Type === 'image') notify('image.changed')
    else if (changesContainer(event)) refresh(event)
  throw new ConnectionLost('The Docker event stream ended.')
}

interface DockerEvent {
  Type: string
  Action: string
  Actor: { ID: string }
}

/** Events that change a row. Many others occur with every exec and health check. */
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

/** Docker responds slightly before it subscribes, so the last moments are requested as well. */
async function openEvents(docker: Docker, signal: AbortSignal): Promise<AsyncIterable<DockerEvent>> {
  // Uses the server's clock, because `since` refers to it.
  const { SystemTime } = await docker.json<{ SystemTime: string }>({ path: '/info', signal })
  const since = Math.floor(Date.parse(SystemTime) / 1_000) - 1
  const filters = JSON.stringify({ type: ['container', 'image'] })
  const query = new URLSearchParams({ since: String(since), filters })
  return readJsonLines<DockerEvent>(await docker.stream({ path: `/events?${query.toString()}`, signal }))
}

const NUDGE_EVERY = 200
const [SOON, LATER] = [250, 5_000]

/** Rows count only while events are followed; otherwise the list asks Docker. */
async function watch(ctx: Context, server: ServerRow, host: Host, signal: AbortSignal): Promise<void> {
  const { workspace_id, id } = server
  const notify = createThrottle<Nudge>(NUDGE_EVERY, (type) => nudge(ctx.db, workspace_id, type, id), {
    signal,
    onError: (error) =>
      ctx.log.warn({ server: id, reason: String(error) }, 'Failed to publish container changes'),
  })
  let loggedReason: string | undefined
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await setContainersLive(ctx.db, workspace_id, server, false)
      await followContainers(ctx, server, host.docker, {
        signal,
        notify,
        onLive: () => {
          failures = 0
          loggedReason = undefined
          notify('container.changed')
        },
      })
    } catch (error) {
      const reason = String(error)
      if (!signal.aborted && loggedReason !== reason)
        ctx.log.info({ server: id, reason }, 'Failed to watch the containers of a server; retrying')
      loggedReason = reason
    }
    // Runs after a failure as well, because no other process would clear the flag.
    await setContainersLive(ctx.db, workspace_id, server, false).catch(() => {})
    await nudge(ctx.db, workspace_id, 'container.changed', id).catch(() => {})
    await pause(exponentialBackoff(failures, SOON, LATER), signal)
  }
}

export const watchers: Watcher[] = [{ name: 'containers', watch }]

/** Makes bursts cheap without losing the last request: one run per key at a time and per `every` milliseconds. */
function createThrottle<K extends string>(
  every: number,
  work: (key: K) => Promise<void>,
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
): (key: K) => void {
  const busy = new Map<K, boolean>()

  async function keepUp(key: K) {
    do {
      busy.set(key, false)
      const delay = pause(every, signal)
      await work(key)
      await delay
    } while (busy.get(key) === true && !signal.aborted)
  }

  return (key) => {
    if (signal.aborted) return
    if (busy.has(key)) busy.set(key, true)
    else
      keepUp(key)
        .catch(onError)
        .finally(() => busy.delete(key))
  }
}
