import type { Log } from '../platform/log.ts'
import { Lost } from './errors.ts'
import type { Host, Hosts, Target } from './host.ts'
import { createLocalHost } from './local.ts'
import { createSshHost } from './ssh/ssh-host.ts'

type Kept = Host & { close(why: Error): void }

/** All machines of this process, each with the one connection that everybody shares. */
export function createHosts(log: Log): Hosts {
  const hosts = new Map<string, Kept>()

  function drop(id: string, why: string) {
    hosts.get(id)?.close(new Lost(why))
    hosts.delete(id)
  }

  return {
    get(target) {
      const known = hosts.get(target.id)
      if (known && sameTarget(known.target, target)) return known
      drop(target.id, 'The way to reach this server was changed. Try again.')
      const made = target.kind === 'ssh' ? createSshHost(target, log) : createLocalHost(target)
      hosts.set(target.id, made)
      return made
    },
    forget: (id) => drop(id, 'The connection was closed, as the server was changed or removed.'),
    async close() {
      for (const id of hosts.keys()) drop(id, 'Slipway is stopping.')
    },
  }
}

function sameTarget(a: Target, b: Target): boolean {
  return JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b))
}

const contentOf = (target: Target) =>
  target.kind === 'ssh'
    ? [target.address, target.port, target.user, target.privateKey, target.hostKeys]
    : [target.dockerSocket]
