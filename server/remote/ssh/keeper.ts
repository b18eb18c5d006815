import type { Log } from '../../platform/log.ts'
import { Lost } from '../errors.ts'
import type { SshTarget } from '../host.ts'
import { connect, type Link } from './connect.ts'

const idleFor = 5 * 60_000

/** Keeps one connection to a server, shared by all who ask; closes it when nobody has used it for minutes. */
export interface Keeper {
  /** The connection; made when there is none. */
  link(signal?: AbortSignal): Promise<Link>
  current(): Link | undefined
  /** It is in use until the returned function is called. */
  hold(): () => void
  /** For good. */
  close(why: Error): void
}

export function createKeeper(target: SshTarget, log: Log): Keeper {
  let current: Link | undefined
  let coming: Promise<Link> | undefined
  let closed: Error | undefined
  let users = 0
  let idle: NodeJS.Timeout | undefined

  async function open(): Promise<Link> {
    const link = await connect(target)
    if (closed) {
      link.end(closed)
      throw closed
    }
    current = link
    log.debug({ server: target.id }, 'Connected to a server.')
    link.onGone((why) => {
      if (current === link) current = undefined
      log.debug({ server: target.id, why: why.message }, 'The connection to a server ended.')
    })
    watch()
    return link
  }

  function watch() {
    clearTimeout(idle)
    if (users > 0 || !current) return
    idle = setTimeout(() => current?.end(new Lost('The connection was closed, as nobody used it.')), idleFor)
    idle.unref()
  }

  return {
    link(signal) {
      if (closed) return Promise.reject(closed)
      // Nobody would hear how it ends.
      if (signal?.aborted) return Promise.reject(signal.reason)
      if (current) return Promise.resolve(current)
      coming ??= open().finally(() => (coming = undefined))
      return orAborted(coming, signal)
    },
    current: () => current,
    hold() {
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
    close(why) {
      closed = why
      clearTimeout(idle)
      current?.end(why)
    },
  }
}

/** One caller's leaving does not end what others wait for. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
