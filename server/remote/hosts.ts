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
      const version = getVersion(target)
      const known = hosts.get(target.id)
      if (known && sameTarget(known.host.target, target)) {
        // The target may have changed and changed back: keep the newest version.
        known.version = Math.max(known.version, version)
        return known.host
      }
      const host = make(target)
      if (known && version < known.version) {
        host.close(new TargetOutdated())
        return host
      }
      drop(target.id, new TargetOutdated())
      hosts.set(target.id, { host, version })
      return host
    },
    disconnect: (id) =>
      drop(id, new ConnectionLost('The connection was closed because the server was changed or removed.')),
    async close() {
      for (const id of hosts.keys()) drop(id, new ConnectionLost('Slipway is stopping.'))
    },
  }
}

const getVersion = (target: HostTarget) => (target.kind === 'ssh' ? target.version : 1)

function sameTarget(a: HostTarget, b: HostTarget): boolean {
  return JSON.stringify(fingerprint(a)) === JSON.stringify(fingerprint(b))
}

const fingerprint = (target: HostTarget) =>
  target.kind === 'ssh'
    ? [target.address, target.port, target.user, target.privateKey, target.hostKeys]
    : [target.dockerSocket]
