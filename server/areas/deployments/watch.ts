import type { Context } from '../../context.ts'
import type { Host } from '../../remote/host.ts'
import { createWakeSignal } from '../servers/watch/wake-signal.ts'
import type { ServerRow } from '../servers/server.ts'
import type { Watcher } from '../servers/watcher.ts'
import { reportCrashes } from './report-crashes.ts'

/** Fallback interval; container events trigger a check at once. */
const pollInterval = 15_000

/** Checks recent deployments whenever a container of the server changes. */
async function watchDeployments(
  ctx: Context,
  server: ServerRow,
  host: Host,
  signal: AbortSignal,
): Promise<void> {
  const bell = createWakeSignal()
  const off = ctx.bus.on('events', (told) => {
    if (told.includes(server.id) && told.includes('container.changed')) bell.ring()
  })
  signal.addEventListener('abort', () => bell.ring(), { once: true })
  try {
    while (!signal.aborted) {
      await reportCrashes(ctx, server, host.docker)
      await bell.wait(pollInterval)
    }
  } finally {
    off()
  }
}

export const watchers: Watcher[] = [{ name: 'deployments', watch: watchDeployments }]
