import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, type PoolClient } from 'pg'
import { createKeyedMutex } from './async.ts'

const RETRY_EVERY = 20

type Work<T> = (signal: AbortSignal) => Promise<T>

export interface Locks {
  /**
   * Runs `work` while the lock is held, and aborts its signal when the lock is lost. All locks of a process share one
   * connection, so `work` may take long.
   */
  withLock<T>(name: string, work: Work<T>): Promise<T>
  close(): void
}

export function createLocks({ options }: Pool): Locks {
  /** PostgreSQL grants the same lock twice on one connection, so calls in this process also need a mutex. */
  const serialize = createKeyedMutex()
  // A second connection is needed while a lost one is still in use.
  const own = new Pool({ ...options, max: 2, allowExitOnIdle: true, application_name: 'slipway locks' })
  own.on('error', () => {})
  const take = createConnection(own)

  async function locked<T>(name: string, work: Work<T>): Promise<T> {
    const { ask, lost, release } = await take()
    try {
      while (!(await ask(TRY, name))) await sleep(RETRY_EVERY, undefined, { signal: lost })
      try {
        return await work(lost)
      } finally {
        await ask(UNLOCK, name).catch(() => {})
      }
    } finally {
      release()
    }
  }

  return {
    withLock: (name, work) => serialize(name, () => locked(name, work)),
    close: () => void own.end(),
  }
}

const TRY = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as ok'
const UNLOCK = 'select pg_advisory_unlock(hashtextextended($1, 0)) as ok'

type Ask = (statement: string, name: string) => Promise<boolean>

/** Shares one connection among all held locks. The connection does not keep the process alive. */
function createConnection(own: Pool): () => Promise<{ ask: Ask; lost: AbortSignal; release: () => void }> {
  let current: Shared | undefined

  function share(): Shared {
    const lost = new AbortController()
    const lose = () => {
      if (current === shared) current = undefined
      lost.abort(new Error('The lock was lost with the connection to the database.'))
    }
    const client = own.connect().then((connected) => connected.on('error', lose).on('end', lose))
    client.catch(lose)
    let last: Promise<unknown> = client
    const shared: Shared = {
      users: 0,
      lost: lost.signal,
      lose,
      client,
      ask(statement, name) {
        const answer = last.then(async () => {
          const { rows } = await (await client).query<{ ok: boolean }>(statement, [name])
          return rows[0]?.ok === true
        })
        last = answer.catch(() => {})
        return answer
      },
    }
    return shared
  }

  return async () => {
    const shared = (current ??= share())
    shared.users++
    const client = await shared.client
    return {
      ask: shared.ask,
      lost: shared.lost,
      release() {
        if (--shared.users > 0) return
        if (current === shared) current = undefined
        client.off('error', shared.lose).off('end', shared.lose)
        client.release(shared.lost.aborted)
      },
    }
  }
}

interface Shared {
  users: number
  lost: AbortSignal
  lose: () => void
  client: Promise<PoolClient>
  ask: Ask
}
