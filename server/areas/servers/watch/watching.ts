import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { createSemaphore } from '../../../platform/async.ts'
import type { Db } from '../../../tables.ts'
import type { Watcher } from '../watcher.ts'
import { createWakeSignal } from './wake-signal.ts'
import { type ServerSession, startServerSession } from './watch-connection.ts'
import {
  isServerDeleted,
  type LeasedServer,
  markSeen,
  readLeasedServers,
  releaseServerLeases,
  renewServerLeases,
} from './store.ts'

/** A lease expires after this time; with `HEARTBEAT_EVERY`, other processes take over within 15 seconds. */
const LEASE_SECONDS = 10
const HEARTBEAT_EVERY = 3_000
const PAUSE = 200
/** Limits claims per beat, so that processes that start together share the servers. */
const MOST = 25
const SEEN_EVERY = 30_000
const FIRST_ATTEMPTS = 50

export interface Watching {
  stop(): Promise<void>
}

/**
 * Watches servers. A heartbeat renews the leases, so that one process watches each server and another takes over if it
 * fails. `db` should be a small separate pool, so that an exhausted pool does not cost the leases.
 */
export function startWatching(ctx: Context, watchers: Watcher[], db: Db = ctx.db): Watching {
  const watcherId = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`
  const sessions = new Map<Id<'server'>, ServerSession>()
  const connectLimit = createSemaphore(FIRST_ATTEMPTS)
  const wakeSignal = createWakeSignal()
  const changedServers = new Set<string>()
  const stopping = new AbortController()
  let isFailing = false
  let confirmed = performance.now()
  let seen = performance.now()

  async function sendHeartbeat(): Promise<boolean> {
    const requestedAt = performance.now()
    const notified = new Set(changedServers)
    changedServers.clear()
    const held = await renewServerLeases(db, watcherId, { seconds: LEASE_SECONDS, most: MOST })
    confirmed = requestedAt
    await compare(held)
    // Wake after comparing versions: a moved server must not be tried at its old address.
    for (const session of sessions.values()) if (notified.has(session.id)) session.wake()
    if (requestedAt - seen > SEEN_EVERY) {
      seen = requestedAt
      const connected = [...sessions.values()].filter((session) => session.isConnected())
      if (connected.length > 0)
        await markSeen(
          db,
          watcherId,
          connected.map(({ id }) => id),
        )
    }
    return held.filter(({ taken }) => taken).length === MOST
  }

  async function compare(held: LeasedServer[]) {
    const versions = new Map(held.map(({ id, version }) => [id, version]))
    for (const { id } of sessions.values()) if (!versions.has(id)) void end(id)
    // A reclaimed lease may have been held elsewhere in between, so the state of its session is stale.
    const begun = held.filter(({ id, version, taken }) => taken || sessions.get(id)?.version !== version)
    if (begun.length === 0 || stopping.signal.aborted) return
    for (const server of await readLeasedServers(
      db,
      watcherId,
      begun.map(({ id }) => id),
    )) {
      const previous = end(server.id)
      sessions.set(
        server.id,
        startServerSession({ ctx, watcher: watcherId, server }, { watchers, connectLimit, previous }),
      )
    }
  }

  function end(id: Id<'server'>): Promise<void> | undefined {
    const ending = sessions.get(id)?.stop()
    sessions.delete(id)
    return ending
  }

  /** Ends sessions whose leases may have expired while the database was unavailable. */
  function endLapsed() {
    if (performance.now() - confirmed > LEASE_SECONDS * 1_000) for (const id of sessions.keys()) void end(id)
  }

  async function sendHeartbeats() {
    while (!stopping.signal.aborted) {
      const more = await sendHeartbeat().then(
        (full) => {
          isFailing = false
          return full
        },
        (error: unknown) => {
          if (!isFailing)
            ctx.log.warn({ reason: String(error) }, 'Failed to renew the leases of watched servers')
          isFailing = true
          return false
        },
      )
      await sleep(PAUSE)
      if (!more && !stopping.signal.aborted) await wakeSignal.wait(HEARTBEAT_EVERY - PAUSE)
    }
  }

  const listeners = [
    ctx.bus.on('servers', (id) => {
      changedServers.add(id)
      wakeSignal.ring()
    }),
    ctx.bus.onReconnect(() => wakeSignal.ring()),
  ]
  const lapseTimer = setInterval(endLapsed, 1_000)
  const heartbeats = sendHeartbeats()

  return {
    async stop() {
      stopping.abort()
      for (const unsubscribe of listeners) unsubscribe()
      clearInterval(lapseTimer)
      wakeSignal.ring()
      await heartbeats
      await Promise.all([...sessions.keys()].map(async (id) => end(id)))
      await releaseServerLeases(db, watcherId).catch(() => {})
    },
  }
}

export function closeDeletedConnections(ctx: Context): () => void {
  return ctx.bus.on('servers', (id) => {
    if (id !== '')
      isServerDeleted(ctx.db, id).then(
        (gone) => gone && ctx.hosts.disconnect(id),
        (error: unknown) => ctx.log.warn({ server: id, reason: String(error) }, 'Failed to look up a server'),
      )
  })
}
