import type { Nudge } from '../../../contract/shared/events.ts'
import type { Context } from '../../context.ts'
import { nudge } from '../../events.ts'
import type { Host } from '../../remote/host.ts'
import type { ServerRow } from '../servers/server.ts'
import type { Watcher } from '../servers/watcher.ts'
import { followContainers } from './follow-containers.ts'
import { createThrottle } from './throttle.ts'
import { setContainersLive } from './store.ts'
import { pause } from '../../platform/async.ts'

/** Milliseconds for which further updates of consoles are combined. */
const NUDGE_EVERY = 200
/** Backoff while Docker is unreachable. */
const [SOON, LATER] = [250, 5_000]

/** Keeps the rows of containers current. They count only while events are followed; otherwise the list asks Docker. */
async function watch(ctx: Context, server: ServerRow, host: Host, signal: AbortSignal): Promise<void> {
  const { workspace_id, id } = server
  const tell = createThrottle<Nudge>(NUDGE_EVERY, (type) => nudge(ctx.db, workspace_id, type, id), {
    signal,
    onError: (error) =>
      ctx.log.warn({ server: id, why: String(error) }, 'Could not publish container changes.'),
  })
  let told: string | undefined
  for (let delay = SOON; !signal.aborted; delay = Math.min(delay * 2, LATER)) {
    try {
      await setContainersLive(ctx.db, workspace_id, server, false)
      await followContainers(ctx, server, host.docker, {
        signal,
        tell,
        onLive: () => {
          delay = SOON
          told = undefined
          tell('container.changed')
        },
      })
    } catch (error) {
      const reason = String(error)
      if (!signal.aborted && told !== reason)
        ctx.log.info(
          { server: id, why: reason },
          'The containers of this server are not being watched. Retrying.',
        )
      told = reason
    }
    // Also after a failure, because no other process would clear it.
    await setContainersLive(ctx.db, workspace_id, server, false).catch(() => {})
    await nudge(ctx.db, workspace_id, 'container.changed', id).catch(() => {})
    await pause(delay, signal)
  }
}

export const watchers: Watcher[] = [{ name: 'containers', watch }]
