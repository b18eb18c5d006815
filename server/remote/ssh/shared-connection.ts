import { abortable } from '../../platform/async.ts'
import type { Log } from '../../platform/log.ts'
import { ConnectionLost } from '../errors.ts'
import type { SshTarget } from '../host.ts'
import { connectSsh, type SshConnection } from './connect.ts'

const idleFor = 5 * 60_000

export interface SharedConnection {
  connection(signal?: AbortSignal): Promise<SshConnection>
  current(): SshConnection | undefined
  acquire(): () => void
  close(reason: Error): void
}

/** Keeps the SSH connection that all users of a server share, and reconnects on demand. */
export function createSharedConnection(target: SshTarget, log: Log): SharedConnection {
  let current: SshConnection | undefined
  let coming: Promise<SshConnection> | undefined
  let closed: Error | undefined
  let users = 0
  let idle: NodeJS.Timeout | undefined

  async function open(): Promise<SshConnection> {
    const link = await connectSsh(target)
    if (closed) {
      link.end(closed)
      throw closed
    }
    current = link
    log.debug({ server: target.id }, 'Connected to a server')
    link.onLost((reason) => {
      if (current === link) current = undefined
      log.debug({ server: target.id, reason: reason.message }, 'Disconnected from a server')
    })
    watch()
    return link
  }

  function watch() {
    clearTimeout(idle)
    if (users > 0 || !current) return
    idle = setTimeout(
      () => current?.end(new ConnectionLost('The connection was closed because it was idle.')),
      idleFor,
    )
    idle.unref()
  }

  return {
    connection(signal) {
      if (closed) return Promise.reject(closed)
      if (signal?.aborted) return Promise.reject(signal.reason)
      if (current) return Promise.resolve(current)
      coming ??= open().finally(() => (coming = undefined))
      return abortable(coming, signal)
    },
    current: () => current,
    acquire() {
      users++
      clearTimeout(idle)
      let held = true
      return () => {
        if (!held) return
        held = false
        users--
        watch()
      }
    },
    close(reason) {
      closed = reason
      clearTimeout(idle)
      current?.end(reason)
    },
  }
}
