import { setMaxListeners } from 'node:events'
import type { Id } from '../../../../contract/shared/ids.ts'
import {
  HostKeyChanged,
  TargetOutdated,
  AuthenticationRefused,
  HostUnreachable,
} from '../../../remote/errors.ts'
import type { Host } from '../../../remote/host.ts'
import type { Semaphore } from '../../../platform/async.ts'
import { getServerHost } from '../server-host.ts'
import type { Watcher } from '../watcher.ts'
import { createWakeSignal } from './wake-signal.ts'
import { markUnreachable, markReachable, type WatchedServer } from './status.ts'
import { runWatchers } from './run-watchers.ts'

export interface ServerSession {
  id: Id<'server'>
  version: number
  isConnected(): boolean
  wake(): void
  stop(): Promise<void>
}

interface Options {
  watchers: Watcher[]
  connectLimit: Semaphore
  previous: Promise<void> | undefined
}

/** Delay before the attempt that decides whether a lost connection was transient. */
const CONFIRM_WITHIN = 2_000
const RETRY_EVERY = 2_000

/**
 * Keeps a server connected: reconnects when the connection is lost, and marks the server unreachable after a second
 * failure.
 */
export function startServerSession(
  watched: WatchedServer,
  { watchers, connectLimit, previous }: Options,
): ServerSession {
  const { ctx, server } = watched
  const stopping = new AbortController()
  const wakeSignal = createWakeSignal()
  let connected = false
  let reportedFailure: string | undefined
  const running = run().catch((error: unknown) =>
    ctx.log.error({ server: server.id, reason: String(error) }, 'Stopped watching a server'),
  )

  async function run() {
    await previous
    for (let failures = 0, first = true; !stopping.signal.aborted; first = false) {
      const startedAt = performance.now()
      const failure = await attempt(failures, first)
      if (stopping.signal.aborted) return
      if (failure === undefined) {
        await watchUntilLost(getServerHost(ctx, server))
        failures = 1
        // Avoid a busy loop if the server accepts connections and closes them.
        if (performance.now() - startedAt > RETRY_EVERY) continue
      } else {
        failures++
        if (failures > 1 || isFinal(failure)) await reportFailure(failure)
      }
      await wakeSignal.wait(pauseAfter(failure, performance.now() - startedAt))
    }
  }

  async function attempt(failures: number, first: boolean): Promise<unknown> {
    let release: (() => void) | undefined
    try {
      if (first) release = await connectLimit.acquire(stopping.signal)
      const connecting = getServerHost(ctx, server).connect(stopping.signal)
      await (failures > 0 && reportedFailure === undefined
        ? withDeadline(CONFIRM_WITHIN, connecting)
        : connecting)
      return undefined
    } catch (error) {
      return error
    } finally {
      release?.()
    }
  }

  async function watchUntilLost(host: Host) {
    reportedFailure = undefined
    connected = true
    const lost = new AbortController()
    // Every watcher adds a listener, which would exceed the default limit of Node.js.
    setMaxListeners(0, lost.signal)
    const end = () => lost.abort()
    stopping.signal.addEventListener('abort', end, { once: true })
    const unsubscribe = host.onLost(() => {
      lost.abort()
      wakeSignal.ring()
    })
    const watching = runWatchers(watched, host, watchers, lost.signal)
    try {
      while (!lost.signal.aborted) {
        const reachable = await trySave(() => markReachable(watched, host))
        if (!lost.signal.aborted) await wakeSignal.wait(reachable ? undefined : RETRY_EVERY)
      }
    } finally {
      unsubscribe()
      stopping.signal.removeEventListener('abort', end)
      connected = false
      await watching
    }
  }

  async function reportFailure(failure: unknown) {
    const message = String(failure)
    // A session for the newer row is about to start and will report.
    if (reportedFailure === message || failure instanceof TargetOutdated) return
    if (await trySave(() => markUnreachable(watched, failure))) reportedFailure = message
  }

  async function trySave(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      ctx.log.warn({ server: server.id, reason: String(error) }, 'Failed to save the status of a server')
      return false
    }
  }

  return {
    id: server.id,
    version: server.version,
    isConnected: () => connected,
    wake() {
      reportedFailure = undefined
      wakeSignal.ring()
    },
    stop() {
      stopping.abort()
      wakeSignal.ring()
      return running
    },
  }
}

/** Stops waiting at the deadline. The connection attempt continues, and the next attempt joins it. */
async function withDeadline(milliseconds: number, connecting: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HostUnreachable('The connection was lost.')), milliseconds)
  })
  await Promise.race([connecting, timeout]).finally(() => clearTimeout(timer))
}

/** The server responded, so an immediate retry is pointless. */
const isFinal = (failure: unknown) =>
  failure instanceof HostKeyChanged || failure instanceof AuthenticationRefused

function pauseAfter(failure: unknown, elapsed: number): number {
  if (failure instanceof HostKeyChanged) return 30_000
  if (failure instanceof AuthenticationRefused) return 10_000
  return Math.max(RETRY_EVERY - elapsed, 200)
}
