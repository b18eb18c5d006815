import { afterAll } from 'vitest'
import { type Host, type Hosts, type SshTarget, createHosts } from '../../../server/remote/host.ts'
import { listeningLog } from './context.ts'
import type { TestHost } from '../factories/factories.ts'
import type { RigServer } from '../rig/server.ts'

/** Hosts of a test file, closed at its end. */
export function openHosts(): Hosts {
  const hosts = createHosts(listeningLog([]))
  afterAll(() => hosts.close())
  return hosts
}

/** For tests below the instance settings. */
export const anywhere = async () => true

export function targetOf(server: RigServer & TestHost, changes: Partial<SshTarget> = {}): SshTarget {
  return {
    kind: 'ssh',
    id: `server-${server.index}`,
    version: 1,
    address: server.address,
    port: server.port,
    user: server.user,
    privateKey: server.keys.privateKey,
    hostKeys: [server.hostKey],
    mayConnect: anywhere,
    ...changes,
  }
}

export async function failureOf(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    (value) => new Error(`It did not fail: ${JSON.stringify(value)}`),
    (failure: unknown) => failure,
  )
  return error instanceof Error ? error : new Error(String(error))
}

export const localHost = (hosts: Hosts): Host =>
  hosts.get({ kind: 'local', id: 'local', dockerSocket: '/var/run/docker.sock' })
