import type { Context } from '../../context.ts'
import type { Host } from '../../remote/host.ts'
import { createBell } from '../servers/watch/bell.ts'
import type { ServerRow } from '../servers/server.ts'
import type { Watcher } from '../servers/watcher.ts'
import { tellOfDied } from './died.ts'

/** Changes of containers are told; so often it is looked without a word. */
const lookEvery = 15_000

/** Success is what is observed: what was deployed a short while ago is looked at whenever a container changes. */
async function watch(ctx: Context, server: ServerRow, host: Host, signal: AbortSignal): Promise<void> {
  const bell = createBell()
  const off = ctx.bus.on('events', (told) => {
    if (told.includes(server.id) && told.includes('container.changed')) bell.ring()
  })
  signal.addEventListener('abort', () => bell.ring(), { once: true })
  try {
    while (!signal.aborted) {
      await tellOfDied(ctx, server, host.docker)
      await bell.wait(lookEvery)
    }
  } finally {
    off()
  }
}

export const watchers: Watcher[] = [{ name: 'deployments', watch }]
