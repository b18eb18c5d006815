import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import { listDomainsOn, listListenersOn, listPortsOn } from './claims.ts'
import { resolveDomainConflicts, resolvePortConflicts, type PortUse } from './route-conflicts.ts'

interface MachineRef {
  workspace_id: Id<'workspace'>
  machine: string | null
}

/** Domains of the workspace that are routed to another application, with the reason. */
export async function findLostDomains(db: Db, { workspace_id, machine }: MachineRef) {
  if (machine === null) return new Map<Id<'domain'>, string>()
  const { lost } = resolveDomainConflicts(await listDomainsOn(db, machine))
  return new Map(
    lost
      .filter(({ domain }) => domain.workspace_id === workspace_id)
      .map(({ domain, to }) => [
        domain.id,
        `${domain.host} routes to ${whose(to, workspace_id)}, which used it first on this server. Remove one of the two.`,
      ]),
  )
}

export async function findLostPorts(db: Db, { workspace_id, machine }: MachineRef) {
  const said = new Map<Id<'publishedPort'>, string>()
  if (machine === null) return said
  const { lost } = resolvePortConflicts(await listListenersOn(db, machine), await listPortsOn(db, machine))
  for (const { use, to } of lost)
    if (typeof use === 'object' && use.workspace_id === workspace_id)
      said.set(use.id, whyLost(use.source, to, workspace_id))
  return said
}

const whyLost = (port: number, to: PortUse, workspaceId: Id<'workspace'>) =>
  typeof to === 'string'
    ? `Port ${port} is the ${to.toUpperCase()} port of the proxy on this server. Publish another port.`
    : `Port ${port} routes to ${whose(to, workspaceId)}, which used it first on this server. Remove one of the two.`

const whose = (
  holder: { workspace_id: Id<'workspace'>; name: string },
  workspaceId: Id<'workspace'>,
): string =>
  holder.workspace_id === workspaceId ? `application ${holder.name}` : 'an application of another workspace'
