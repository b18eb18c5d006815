import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import type { Release } from '../../applications/release.ts'
import { declaredPorts } from '../../compose/ports.ts'
import type { Model } from '../../compose/model.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'
import { imagePorts, type ImageFacts } from '../images/ensure-image.ts'
import { type ReleaseRun, DeploymentFailed } from '../run/deployment-run.ts'

type ApplicationRef = Pick<ApplicationRow, 'workspace_id' | 'id'>

export async function isRouted(db: Db, { workspace_id, id }: ApplicationRef): Promise<boolean> {
  const { rows } = await sql`
    select 1 from domains where workspace_id = ${workspace_id} and application_id = ${id}
    union all
    select 1 from published_ports where workspace_id = ${workspace_id} and application_id = ${id}
    limit 1`.execute(db)
  return rows.length > 0
}

export async function listPublishedPorts(db: Db, { workspace_id, id }: ApplicationRef): Promise<number[]> {
  const { rows } = await sql<{ source: number }>`
    select source from published_ports
    where workspace_id = ${workspace_id} and application_id = ${id}`.execute(db)
  return rows.map(({ source }) => source)
}

export interface RouteTarget {
  service: string
  kind: 'address' | 'port'
  port: number | null
  from: string
  /** Generated URLs exist for applications without HTTP, too. */
  generated: boolean
}

export async function listRouteTargets(db: Db, { workspace_id, id }: ApplicationRef): Promise<RouteTarget[]> {
  const { rows } = await sql<RouteTarget>`
    select service, 'address' as kind, port, 'the domain ' || host || case path when '/' then '' else path end as from, generated
    from domains
    where workspace_id = ${workspace_id} and application_id = ${id}
    union all
    select service, 'port', target, 'the published port ' || source, false from published_ports
    where workspace_id = ${workspace_id} and application_id = ${id}
    order by 4`.execute(db)
  return rows
}

export async function listRoutedServices(
  db: Db,
  application: ApplicationRef,
  published: readonly { service: string }[],
): Promise<Set<string>> {
  const domains = (await listRouteTargets(db, application)).filter(({ kind }) => kind === 'address')
  return new Set([...domains, ...published].map(({ service }) => service))
}

export async function listServiceTargets(
  run: ReleaseRun,
  service: string,
  db: Db = run.ctx.db,
): Promise<RouteTarget[]> {
  const all = (await listRouteTargets(db, run.application)).filter((target) => target.service === service)
  const named = run.release.config.services?.find(({ name }) => name === service)
  if (!named) return all
  // The rows are still those of the live release, so use the ports of the new one.
  return [
    ...all.filter(({ kind }) => kind === 'address'),
    ...named.ports.map(({ source, target }) => ({
      service,
      kind: 'port' as const,
      port: target,
      from: `the published port ${source}`,
      generated: false,
    })),
  ]
}

export async function isProxyMissing(
  { ctx, server }: { ctx: Context; server: ServerRow },
  signal: AbortSignal,
): Promise<boolean> {
  const filters = JSON.stringify({ label: ['slipway.proxy'] })
  const query = new URLSearchParams({ all: '1', filters }).toString()
  const { docker } = getServerHost(ctx, server)
  const containers = await docker.json<unknown[]>({ path: `/containers/json?${query}`, signal })
  return containers.length === 0 || server.machine === null
}

interface PortSources {
  service: string
  model: Model | undefined
  image: ImageFacts | undefined
  targets: RouteTarget[]
}

export function resolvePort({ config }: Pick<Release, 'config'>, sources: PortSources): number | null {
  const { service, model, image, targets } = sources
  if (!model && config.port !== null) return config.port
  if (model && targets.every((target) => target.port !== null)) return null
  const inFile = model ? declaredPorts(model, service) : []
  const inImage = image ? imagePorts(image).toSorted((a, b) => a - b) : []
  const named = inFile.length > 0 ? inFile : inImage
  const [port] = named
  if (port !== undefined && named.length === 1) return port
  const routed = targets.find((target) => target.port === null && !target.generated)
  if (!routed) return null
  throw new DeploymentFailed(
    model ? noServicePortMessage(service, routed, named) : noPortMessage(routed, named),
  )
}

const noPortMessage = ({ from }: RouteTarget, named: number[]) =>
  `No port to route to: ${from} uses the port of the application, but none is set, and the image ${exposedPortsPhrase(named)}. Set the port in the settings, or remove the domain; then deploy again.`

const noServicePortMessage = (service: string, { from }: RouteTarget, named: number[]) =>
  `No port to route to: ${from} routes to ${service} without a port, and ${service} ${exposedPortsPhrase(named)}. Set the port of the domain, then deploy again.`

const exposedPortsPhrase = (named: number[]) =>
  named.length === 0 ? 'exposes no port' : `exposes several ports (${named.join(', ')})`
