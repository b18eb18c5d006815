import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { Invalid, notFound } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { RemoteError } from '../../remote/errors.ts'
import type { Actor } from '../../route.ts'
import { hostOf } from '../servers/reach.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { getApplicationRow } from './application.ts'
import { claimRoutes, problemsOf } from './claim-routes.ts'
import { deletePortRow, listPortRows, type PortRow, putPorts } from './entries-store.ts'
import { noteChange } from './noted.ts'
import { requestProxySync } from './proxy-sync.ts'
import { takenPorts } from './taken-ports.ts'
import { withApplication } from './with-application.ts'

/** On the server, and in the container. */
export interface PortMapping {
  source: number
  target: number
}

const present = ({ id, source, target }: PortRow) => ({ id, source, target })

export async function listPorts(ctx: Context, actor: Actor, id: Id<'application'>) {
  await getApplicationRow(ctx, actor, id)
  return (await listPortRows(ctx.db, actor.workspace.id, id)).map(present)
}

/** Adds them to those there are; one that is published already leads to its new target. */
export async function publishPorts(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  ports: readonly PortMapping[],
) {
  const application = await getApplicationRow(ctx, actor, id)
  const server = await getServerRow(ctx, actor, application.server_id)
  const known = await listPortRows(ctx.db, actor.workspace.id, id)
  const isNew = ({ source }: PortMapping) => !known.some((row) => row.source === source)
  mustBeFine(await findBusy(ctx, server, ports, isNew))
  return withApplication(ctx, actor, id, async (trx) => {
    const wanted = ports.map(({ source }) => source)
    const taken = await claimRoutes(trx, server, { application: id, domains: [], ports: wanted })
    mustBeFine(problemsOf(taken))
    await putPorts(trx, actor.workspace.id, portRows(application, ports))
    await requestProxySync(ctx, trx, application)
    await noteChange(trx, actor, application, 'application.ports_changed', wanted.map(String))
    return (await listPortRows(trx, actor.workspace.id, id)).map(present)
  })
}

export const unpublishPort = (
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  port: Id<'publishedPort'>,
): Promise<void> =>
  withApplication(ctx, actor, id, async (trx, application) => {
    const gone = await deletePortRow(trx, actor.workspace.id, id, port)
    if (!gone) throw notFound('This port')
    await requestProxySync(ctx, trx, application)
    await noteChange(trx, actor, application, 'application.ports_changed', [String(gone.source)])
  })

export const portRows = (
  { id, workspace_id }: Pick<PortRow, 'workspace_id'> & { id: Id<'application'> },
  ports: readonly PortMapping[],
) =>
  ports.map(({ source, target }) => ({
    id: newId('publishedPort'),
    workspace_id,
    application_id: id,
    source,
    target,
  }))

export type Problems = Record<string, string[]>

export function mustBeFine(problems: Problems): void {
  if (Object.keys(problems).length > 0) throw new Invalid(problems)
}

/** A person waits for it, and the deployment looks again. */
const LIMIT = 3_000

/** Ports that another program listens on, as far as the server can be asked at once. */
export async function findBusy(
  ctx: Context,
  server: ServerRow,
  ports: readonly PortMapping[],
  isNew: (port: PortMapping) => boolean = () => true,
): Promise<Problems> {
  const asked = ports.filter(isNew).map(({ source }) => source)
  if (asked.length === 0 || server.status !== 'ready') return {}
  const signal = AbortSignal.timeout(LIMIT)
  const taken = await lookAt(ctx, server, asked, signal)
  return Object.fromEntries(
    ports.flatMap(({ source }, index): [string, string[]][] =>
      taken.has(source) ? [[`ports.${index}.source`, [busySentence(server, source, taken.get(source))]]] : [],
    ),
  )
}

export const busySentence = (server: Pick<ServerRow, 'name'>, port: number, by: string | null | undefined) =>
  `Port ${port} is taken on ${server.name} by ${by ?? 'another program'}. Stop that, or choose another port.`

async function lookAt(ctx: Context, server: ServerRow, ports: number[], signal: AbortSignal) {
  try {
    const host = hostOf(ctx, server)
    await host.connect(signal)
    return await takenPorts(host, ports, { signal })
  } catch (error) {
    if (signal.aborted || error instanceof RemoteError) return new Map<number, string | null>()
    throw error
  }
}
