import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from '../../../remote/host.ts'
import { verifyMachine } from '../machine.ts'
import { findServer } from '../server.ts'
import { updateServerRow } from '../store.ts'
import type { Watcher } from '../watcher.ts'
import { watchDocker } from './docker.ts'
import { readFacts } from './facts.ts'
import type { WatchedServer } from './status.ts'

const STOP_TIMEOUT_MS = 1_000
const LONGEST_PAUSE = 60_000

/** Runs all watchers of a connected server until the signal aborts. */
export async function whileConnected(
  watched: WatchedServer,
  host: Host,
  watchers: Watcher[],
  signal: AbortSignal,
): Promise<void> {
  const works = [
    noteFacts(watched, host, signal),
    noteMachine(watched, host, signal),
    watchDocker(watched, host, signal),
    ...watchers.map((watcher) => keepWatching(watched, host, watcher, signal)),
  ]
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  await Promise.race([Promise.allSettled(works), sleep(STOP_TIMEOUT_MS)])
}

async function noteFacts({ ctx, server }: WatchedServer, host: Host, signal: AbortSignal): Promise<void> {
  try {
    const facts = await readFacts(host, signal)
    await updateServerRow(ctx.db, server.workspace_id, server.id, { ...facts, last_seen_at: ctx.now() })
  } catch (error) {
    if (!signal.aborted)
      ctx.log.warn(
        { server: server.id, why: String(error) },
        'Failed to read the system information of a server.',
      )
  }
}

/** Only for servers that are set up; setup does it for the others. */
async function noteMachine({ ctx, server }: WatchedServer, host: Host, signal: AbortSignal): Promise<void> {
  try {
    const now = await findServer(ctx, server.workspace_id, server.id)
    if (now?.version === server.version && (now.status === 'ready' || now.status === 'unreachable'))
      await verifyMachine(ctx, now, host, signal)
  } catch (error) {
    if (!signal.aborted)
      ctx.log.warn({ server: server.id, why: String(error) }, 'Failed to read the machine ID of a server.')
  }
}

async function keepWatching(
  { ctx, server }: WatchedServer,
  host: Host,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    const began = performance.now()
    try {
      await watcher.watch(ctx, server, host, signal)
    } catch (error) {
      if (signal.aborted) return
      ctx.log.warn({ server: server.id, watcher: watcher.name, why: String(error) }, 'A watcher failed.')
    }
    // Reset the backoff after a long run.
    if (performance.now() - began > LONGEST_PAUSE) failures = 0
    await sleep(Math.min(2 ** failures * 1_000, LONGEST_PAUSE), undefined, { signal }).catch(() => {})
  }
}
