import type { Db } from '../../tables.ts'
import {
  type ListeningServer,
  listServersOnMachine,
  listMachinePorts,
  type MachineRef,
} from './machine-servers.ts'
import type { ServerRow } from './store.ts'

type WebPorts = Pick<ServerRow, 'http_port' | 'https_port'>

/** Returns the ports in use; configured ports apply on the next setup. */
export const getWebPorts = (
  server: WebPorts & Pick<ServerRow, 'http_port_used' | 'https_port_used'>,
): WebPorts => ({
  http_port: server.http_port_used ?? server.http_port,
  https_port: server.https_port_used ?? server.https_port,
})

/** Returns an error per port that the shared proxy of the machine cannot use for this server. */
export async function findTakenPorts(
  db: Db,
  server: MachineRef,
  wanted: Partial<WebPorts>,
): Promise<Record<string, string[]>> {
  const others = (await listServersOnMachine(db, server)).filter(({ id }) => id !== server.id)
  const published = await listMachinePorts(db, server, Object.values(wanted))
  const problems: Record<string, string[]> = {}
  for (const field of ['http_port', 'https_port'] as const) {
    const port = wanted[field]
    if (port === undefined) continue
    const holder = published.find(({ source }) => source === port)
    const reason = holder
      ? `is published by ${holder.workspace_id === server.workspace_id ? `the application ${holder.name}` : 'an application of another workspace'}`
      : others.map((other) => usedAs(other, field, port)).find((use) => use !== undefined)
    if (reason !== undefined)
      problems[field] = [`Port ${port} ${reason} on this machine. Choose another port.`]
  }
  return problems
}

/** Servers on one machine may share a port only for the same protocol. */
function usedAs(other: ListeningServer, field: keyof WebPorts, port: number): string | undefined {
  const { http_port, http_port_used, https_port, https_port_used } = other
  if (field === 'https_port' && (http_port === port || http_port_used === port))
    return 'is used by the proxy for HTTP'
  if (field === 'http_port' && (https_port === port || https_port_used === port))
    return 'is used by the proxy for HTTPS'
  return other.kind === 'ssh' && other.port === port ? 'is used by SSH' : undefined
}
