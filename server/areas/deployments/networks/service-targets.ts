import type { Db } from '../../../tables.ts'
import { type DeploymentRun, requireRelease } from '../run/deployment-run.ts'
import { listRouteTargets, type RouteTarget } from '../containers/routed.ts'

/** Lists the domains of a service and the ports of its file. */
export async function listServiceTargets(
  attempt: DeploymentRun,
  service: string,
  db: Db = attempt.ctx.db,
): Promise<RouteTarget[]> {
  const all = (await listRouteTargets(db, attempt.application)).filter((one) => one.service === service)
  const named = requireRelease(attempt).config.services?.find(({ name }) => name === service)
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
