import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import { listDomainsOn, listListenersOn, listPortsOn } from './claims.ts'
import { settleDomains, settlePorts, type Use } from './settle.ts'

interface Place {
  workspace_id: Id<'workspace'>
  machine: string | null
}

/** Addresses of the workspace that lead to somebody else on the machine, each with a sentence that says why. */
export async function findLostDomains(db: Db, { workspace_id, machine }: Place) {
  if (machine === null) return new Map<Id<'domain'>, string>()
  const { lost } = settleDomains(await listDomainsOn(db, machine))
  return new Map(
    lost
      .filter(({ domain }) => domain.workspace_id === workspace_id)
      .map(({ domain, to }) => [
        domain.id,
        `${domain.host} leads to ${whose(to, workspace_id)}, which had it on this server first. Remove it here, or there.`,
      ]),
  )
}

/** The same for published ports. */
export async function findLostPorts(db: Db, { workspace_id, machine }: Place) {
  const said = new Map<Id<'publishedPort'>, string>()
  if (machine === null) return said
  const { lost } = settlePorts(await listListenersOn(db, machine), await listPortsOn(db, machine))
  for (const { use, to } of lost)
    if (typeof use === 'object' && use.workspace_id === workspace_id)
      said.set(use.id, whyLost(use.source, to, workspace_id))
  return said
}

const whyLost = (port: number, to: Use, workspaceId: Id<'workspace'>) =>
  typeof to === 'string'
    ? `Port ${port} is where the proxy takes ${to.toUpperCase()} on this server. Publish another port.`
    : `Port ${port} leads to ${whose(to, workspaceId)}, which had it on this server first. Remove it here, or there.`

const whose = (
  holder: { workspace_id: Id<'workspace'>; name: string },
  workspaceId: Id<'workspace'>,
): string =>
  holder.workspace_id === workspaceId
    ? `the application ${holder.name}`
    : 'an application of another workspace'
