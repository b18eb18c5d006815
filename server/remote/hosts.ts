import type { Log } from '../platform/log.ts'
import { ConnectionLost, TargetOutdated } from './errors.ts'
import type { Host, Hosts, HostTarget } from './host.ts'
import { createLocalHost } from './local-host.ts'
import { createSshHost } from './ssh/ssh-host.ts'

type ClosableHost = Host & { close(reason: Error): void }

export function createHosts(log: Log): Hosts {
  const hosts = new Map<string, { host: ClosableHost; version: number }>()
  const make = (target: HostTarget): ClosableHost =>
    target.kind === 'ssh' ? createSshHost(target, log) : createLocalHost(target)

  function drop(id: string, reason: Error) {
    hosts.get(id)?.host.close(reason)
    hosts.delete(id)
  }

  return {
    get(target) {
      const version = versionOf(target)
      const known = hosts.get(target.id)
      if (known && sameTarget(known.host.target, target)) {
        // The target may have changed and changed back: keep the newest version.
        known.version = Math.max(known.version, version)
        return known.host
      }
      const made = make(target)
      if (known && version < known.version) {
        made.close(new TargetOutdated())
        return made
      }
      drop(target.id, new TargetOutdated())
      hosts.set(target.id, { host: made, version })
      return made
    },
    disconnect: (id) =>
      drop(id, new ConnectionLost('The connection was closed because the server was changed or removed.')),
    async close() {
      for (const id of hosts.keys()) drop(id, new ConnectionLost('Slipway is stopping.'))
    },
  }
}

const versionOf = (target: HostTarget) => (target.kind === 'ssh' ? target.version : 1)

function sameTarget(a: HostTarget, b: HostTarget): boolean {
  return JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b))
}

const contentOf = (target: HostTarget) =>
  target.kind === 'ssh'
    ? [target.address, target.port, target.user, target.privateKey, target.hostKeys]
    : [target.dockerSocket]
