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
  turns: Semaphore
  after: Promise<void> | undefined
}

/** Delay before the attempt that decides whether a lost connection was transient. */
const BRIEF = 2_000
const RETRY_EVERY = 2_000

export function startServerSession(
  watched: WatchedServer,
  { watchers, turns, after }: Options,
): ServerSession {
  const { ctx, server } = watched
  const stopping = new AbortController()
  const bell = createWakeSignal()
  let connected = false
  let reported: string | undefined
  const running = run().catch((error: unknown) =>
    ctx.log.error({ server: server.id, reason: String(error) }, 'Stopped watching a server'),
  )

  async function run() {
    await after
    for (let failures = 0, first = true; !stopping.signal.aborted; first = false) {
      const began = performance.now()
      const failure = await attempt(failures, first)
      if (stopping.signal.aborted) return
      if (failure === undefined) {
        await stay(getServerHost(ctx, server))
        failures = 1
        // Avoid a busy loop if the server accepts connections and closes them.
        if (performance.now() - began > RETRY_EVERY) continue
      } else {
        failures++
        if (failures > 1 || isFinal(failure)) await declare(failure)
      }
      await bell.wait(pauseAfter(failure, performance.now() - began))
    }
  }

  async function attempt(failures: number, first: boolean): Promise<unknown> {
    let giveBack: (() => void) | undefined
    try {
      if (first) giveBack = await turns.acquire(stopping.signal)
      const connecting = getServerHost(ctx, server).connect(stopping.signal)
      await (failures > 0 && reported === undefined ? within(BRIEF, connecting) : connecting)
      return undefined
    } catch (error) {
      return error
    } finally {
      giveBack?.()
    }
  }

  async function stay(host: Host) {
    reported = undefined
    connected = true
    const gone = new AbortController()
    // Every watcher listens to this signal.
    setMaxListeners(0, gone.signal)
    const leave = () => gone.abort()
    stopping.signal.addEventListener('abort', leave, { once: true })
    const off = host.onLost(() => {
      gone.abort()
      bell.ring()
    })
    const working = runWatchers(watched, host, watchers, gone.signal)
    try {
      while (!gone.signal.aborted) {
        const reachable = await tell(() => markReachable(watched, host))
        if (!gone.signal.aborted) await bell.wait(reachable ? undefined : RETRY_EVERY)
      }
    } finally {
      off()
      stopping.signal.removeEventListener('abort', leave)
      connected = false
      await working
    }
  }

  async function declare(failure: unknown) {
    const words = String(failure)
    // A session for the newer row is about to start and will report.
    if (reported === words || failure instanceof TargetOutdated) return
    if (await tell(() => markUnreachable(watched, failure))) reported = words
  }

  async function tell(work: () => Promise<void>): Promise<boolean> {
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
      reported = undefined
      bell.ring()
    },
    stop() {
      stopping.abort()
      bell.ring()
      return running
    },
  }
}

/** A slow connection attempt continues, and the next attempt joins it. */
async function within(milliseconds: number, connecting: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HostUnreachable('The connection was lost.')), milliseconds)
  })
  await Promise.race([connecting, late]).finally(() => clearTimeout(timer))
}

/** The server responded, so an immediate retry is pointless. */
const isFinal = (failure: unknown) =>
  failure instanceof HostKeyChanged || failure instanceof AuthenticationRefused

function pauseAfter(failure: unknown, took: number): number {
  if (failure instanceof HostKeyChanged) return 30_000
  if (failure instanceof AuthenticationRefused) return 10_000
  return Math.max(RETRY_EVERY - took, 200)
}
