import type { AlertKindName } from '../../../contract/shared/alert-kinds.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { quietUntil } from '../alerts/quiet-hours.ts'
import type { Attention } from './attention.ts'
import { listFiringIncidents } from './store.ts'

interface KnownProblems {
  servers: ReadonlySet<string>
  unwell: ReadonlySet<string>
  failed: ReadonlySet<string>
  hosts: ReadonlySet<string>
}

/** Firing incidents that are not muted and not covered by another item. */
export async function firingIncidents(
  db: Context['db'],
  workspaceId: Id<'workspace'>,
  now: Date,
  known: KnownProblems,
): Promise<Attention[]> {
  const firing = await listFiringIncidents(db, workspaceId, now)
  return firing
    .filter((one) => quietUntil(one, now) === null && !isAlreadyListed(one, known))
    .map(({ id, severity, says, subject_name, application_id, since }) => ({
      kind: `alert_${severity}` as const,
      summary: says,
      reason: null,
      target: { kind: 'incident' as const, id, name: subject_name },
      application_id,
      deployment_id: null,
      since,
    }))
}

/** Whether it is the same trouble, seen by an alert. */
function isAlreadyListed(
  incident: Awaited<ReturnType<typeof listFiringIncidents>>[number],
  known: KnownProblems,
): boolean {
  const { kind, subject_name: name, server_id: server, application_id: application } = incident
  if (kind === 'server_unreachable') return server !== null && known.servers.has(server)
  if (kind === 'certificate_expiry') return known.hosts.has(name)
  if (application === null) return false
  if (kind === 'deployment_failed') return known.failed.has(application)
  return ofUnwell.has(kind) && known.unwell.has(application)
}

const ofUnwell = new Set<AlertKindName>([
  'container_stopped',
  'container_unhealthy',
  'container_restarting',
  'http_check',
])
