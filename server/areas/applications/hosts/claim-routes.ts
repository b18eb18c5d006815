import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Trx } from '../../../tables.ts'
import { type Listening, meets } from '../../compose/meets.ts'
import {
  isSameMachine,
  listListening,
  listPublished,
  lockRoutes,
  type OnMachine,
} from '../../servers/on-machine.ts'

export interface WantedRoutes {
  /** Who wants them; nobody while it is being made. Its own ports do not count as taken. */
  application?: Id<'application'>
  /** The address that is being changed. */
  except?: Id<'domain'>
  domains: { host: string; path: string }[]
  ports: Listening[]
}

/** A port as somebody publishes it who names no address. */
export const everywhere = ({ source }: { source: number }): Listening => ({ host: '', source })

/** What cannot be had, by its place in what was wanted, as a sentence. */
export interface Taken {
  of: 'domains' | 'ports'
  index: number
  says: string
}

/** By the names of the fields as a body has them. */
export const problemsOf = (taken: readonly Taken[]): Record<string, string[]> =>
  Object.fromEntries(
    taken.map(({ of, index, says }) => [`${of}.${index}.${of === 'ports' ? 'source' : 'host'}`, [says]]),
  )

interface Holder {
  workspace_id: Id<'workspace'>
  application_id: Id<'application'>
  name: string
}

/**
 * Tells which of these routes are taken on the machine: addresses of the workspace, whose names no other workspace can have
 * (`host-names.ts`), and ports of whichever workspace. Until the transaction ends nobody else claims any there, so what is
 * free now can be written.
 */
export async function claimRoutes(trx: Trx, server: OnMachine, wanted: WantedRoutes): Promise<Taken[]> {
  await lockRoutes(trx, server)
  return [...(await takenDomains(trx, server, wanted)), ...(await takenPorts(trx, server, wanted))]
}

async function takenDomains(
  trx: Trx,
  server: OnMachine,
  { domains, ...own }: WantedRoutes,
): Promise<Taken[]> {
  const hosts = domains.map(({ host }) => host)
  const { rows } = await sql<Holder & { host: string; path: string }>`
    select d.workspace_id, d.application_id, a.name, d.host, d.path
    from domains d
    join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id and a.deleting_at is null
    join servers s on s.workspace_id = a.workspace_id and s.id = a.server_id
    where d.workspace_id = ${server.workspace_id} and d.host = any(${hosts}) and d.id <> ${own.except ?? ''}
      and ${isSameMachine('s', server)}`.execute(trx)
  return domains.flatMap(({ host, path }, index): Taken[] => {
    const twice = domains.findIndex((other) => other.host === host && other.path === path) < index
    if (twice) return [{ of: 'domains', index, says: 'This address is given twice.' }]
    const holder = rows.find((row) => row.host === host && row.path === path)
    return holder
      ? [{ of: 'domains', index, says: `This address is used by ${whose(holder, server, own)}.` }]
      : []
  })
}

async function takenPorts(trx: Trx, server: OnMachine, { ports, ...own }: WantedRoutes): Promise<Taken[]> {
  const published = await listPublished(
    trx,
    server,
    ports.map(({ source }) => source),
  )
  const rows = published.filter((row) => row.application_id !== own.application)
  const kept = ports.length > 0 ? await keptPorts(trx, server) : new Map<number, string>()
  return ports.flatMap((port, index): Taken[] => {
    const { source } = port
    if (ports.slice(0, index).some((other) => meets(other, port)))
      return [{ of: 'ports', index, says: `Port ${source} is given twice.` }]
    const reason = kept.get(source)
    if (reason !== undefined) return [{ of: 'ports', index, says: reason }]
    const holder = rows.find((row) => meets(row, port))
    return holder
      ? [{ of: 'ports', index, says: `Port ${source} is used by ${whose(holder, server, own)}.` }]
      : []
  })
}

/** The machine's own, however it is known in other workspaces. */
async function keptPorts(trx: Trx, server: OnMachine): Promise<Map<number, string>> {
  const rows = await listListening(trx, server)
  const todo = 'Choose another port.'
  const kept = new Map<number, string>()
  for (const row of rows) {
    for (const port of [row.http_port, row.http_port_used ?? row.http_port])
      kept.set(
        port,
        `Port ${port} is where the proxy of this server takes HTTP for all applications. ${todo}`,
      )
    for (const port of [row.https_port, row.https_port_used ?? row.https_port])
      kept.set(
        port,
        `Port ${port} is where the proxy of this server takes HTTPS for all applications. ${todo}`,
      )
    if (row.kind === 'ssh')
      kept.set(row.port, `Port ${row.port} is where Slipway reaches this server over SSH. ${todo}`)
  }
  return kept
}

function whose(
  holder: Holder,
  server: OnMachine,
  { application }: Pick<WantedRoutes, 'application'>,
): string {
  if (holder.workspace_id !== server.workspace_id) return 'an application of another workspace on this server'
  return holder.application_id === application
    ? 'this application already'
    : `the application ${holder.name} already`
}
