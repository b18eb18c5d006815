import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig, escapeIdentifier } from 'pg'
import { exponentialBackoff } from '../../contract/shared/backoff.ts'
import type { Log } from './log.ts'
import { pause } from './async.ts'

export interface Bus {
  on(channel: string, handler: (payload: string) => void): () => void
  /** Calls the handler after a reconnect. Notifications may have been missed, so the handler must read again. */
  onReconnect(handler: () => void): () => void
  ready(): Promise<void>
  connected(): boolean
  /** Resolves when the database responds on the connection of the bus, which requests do not use. */
  ping(): Promise<void>
  close(): Promise<void>
}

const MAX_PAUSE = 1_000
/** The interval of pings, which detect a peer that vanished without closing the connection. */
const PING_EVERY = 20_000

/** Messages between processes over PostgreSQL LISTEN and NOTIFY. */
export function connectBus(connection: ClientConfig, log: Log): Bus {
  const handlers = new Map<string, Set<(payload: string) => void>>()
  const reconnected = new Set<() => void>()
  const closing = new AbortController()
  let current: { client: Client; query: Query } | undefined
  const waiting: (() => void)[] = []
  const running = keepListening()

  async function keepListening() {
    let isReported = false
    for (let failures = 0, sessions = 0; !closing.signal.aborted; failures++) {
      const client = newClient()
      const query = serialize(client)
      try {
        await client.connect()
        for (const channel of handlers.keys()) await query(statement('listen', channel))
        current = { client, query }
        wakeWaiting()
        if (sessions++ > 0) for (const handler of reconnected) handler()
        if (isReported) log.info({}, 'Resumed listening for database notifications')
        failures = 0
        isReported = false
        await waitUntilLost(client, query)
      } catch (error) {
        if (!closing.signal.aborted && !isReported)
          log.warn({ reason: String(error) }, 'Failed to listen for database notifications; retrying')
        isReported = true
      }
      current = undefined
      // The end is not awaited, because a dead peer never confirms it.
      client.end().catch(() => {})
      const delay = exponentialBackoff(failures, 100, MAX_PAUSE, Math.random())
      await pause(delay, closing.signal)
    }
  }

  function newClient() {
    const client = new Client({
      application_name: 'slipway listener',
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
      ...connection,
    })
    client.on('error', () => {})
    client.on('notification', ({ channel, payload = '' }) => {
      for (const handler of handlers.get(channel) ?? []) handler(payload)
    })
    return client
  }

  async function waitUntilLost(client: Client, query: Query) {
    const lost = new Promise<never>((_, reject) => {
      client.once('error', reject)
      client.once('end', () => reject(new Error('The connection ended.')))
    })
    lost.catch(() => {})
    while (!closing.signal.aborted) {
      const delay = sleep(PING_EVERY, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      await Promise.race([delay, lost])
      if (!closing.signal.aborted) await query('select 1')
    }
  }

  function updateChannel(verb: 'listen' | 'unlisten', channel: string) {
    const { client, query } = current ?? {}
    query?.(statement(verb, channel)).catch(() => client?.end().catch(() => {}))
  }

  function wakeWaiting() {
    for (const go of waiting.splice(0)) go()
  }

  return {
    on(channel, handler) {
      const set = handlers.get(channel) ?? new Set()
      set.add(handler)
      if (!handlers.has(channel)) {
        handlers.set(channel, set)
        updateChannel('listen', channel)
      }
      return () => {
        set.delete(handler)
        if (set.size > 0 || handlers.get(channel) !== set) return
        handlers.delete(channel)
        updateChannel('unlisten', channel)
      }
    },
    onReconnect(handler) {
      reconnected.add(handler)
      return () => reconnected.delete(handler)
    },
    async ready() {
      while (!closing.signal.aborted) {
        if (!current) await new Promise<void>((resolve) => waiting.push(resolve))
        // Queries run in order: when this query returns, earlier subscriptions are active.
        else if (await current.query('select 1').then(Boolean, () => sleep(100, false))) return
      }
    },
    connected: () => current !== undefined,
    async ping() {
      if (!current) throw new Error('Not connected to the database.')
      await current.query('select 1')
    },
    async close() {
      closing.abort()
      wakeWaiting()
      await running
    },
  }
}

type Query = (statement: string) => Promise<unknown>

function serialize(client: Client): Query {
  let last: Promise<unknown> = Promise.resolve()
  return (statement) => {
    const result = last.then(() => client.query(statement))
    last = result.catch(() => {})
    return result
  }
}

const statement = (verb: string, channel: string) => `${verb} ${escapeIdentifier(channel)}`
