import type { z } from 'zod'
import type { applicationStates } from '../../../contract/applications.ts'
import type { attention } from '../../../contract/home.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { listApplicationStates } from '../applications/application-state.ts'
import { openErrors } from '../deployments/run/deployment.ts'
import {
  listExpiringCertificates,
  listFailedCertificates,
  listFailedDeployments,
  listFailedServers,
  listFiringIncidents,
  listFullDisks,
  listPausedChannels,
  listUnhealthyApplications,
} from './store.ts'
import type { AlertKindName } from '../../../contract/shared/alert-kinds.ts'
import { quietUntil } from '../alerts/maintenance-windows.ts'

type Listed = z.input<typeof attention>

export type Attention = Omit<Listed, 'since' | 'alert'> & {
  alert?: Listed['alert']
  application_id: Id<'application'> | null
  since: Date
}

/**
 * Lists what needs attention, newest first. An application is listed once, with its most severe problem; an incident
 * only if its application is not listed already.
 */
export async function findAttention(
  ctx: Pick<Context, 'db' | 'now' | 'secrets'>,
  workspaceId: Id<'workspace'>,
  since: Date,
): Promise<Attention[]> {
  const { db, now } = ctx
  const [servers, unhealthyTargets, failed, certificates, ...others] = await Promise.all([
    listFailedServers(db, workspaceId),
    unhealthyApplications(db, workspaceId),
    listFailedDeployments(db, workspaceId, since),
    listFailedCertificates(db, workspaceId),
    fullDisks(db, workspaceId),
    expiringCertificates(db, workspaceId, now()),
    pausedChannels(db, workspaceId),
  ])
  const down = new Map(unhealthyTargets.map((alert) => [alert.target.id, alert]))
  for (const deployment of failed) {
    const known = down.get(deployment.application_id)
    if (known) known.deployment_id = deployment.id
  }
  const all: Attention[] = [
    ...servers.map(({ id, name, status, reason, creation_failed, since }) => ({
      kind: status === 'unreachable' ? ('server_unreachable' as const) : ('server_failed' as const),
      summary: `${name} ${serverProblem(status, creation_failed)}.`,
      reason: reason,
      target: { kind: 'server' as const, id, name },
      application_id: null,
      deployment_id: null,
      since,
    })),
    ...unhealthyTargets,
    ...failed
      .filter(({ application_id }) => !down.has(application_id))
      .map(({ id, errors_sealed, application_id, name, since }) => ({
        kind: 'deployment_failed' as const,
        summary: `The latest deployment of ${name} failed.`,
        reason: openErrors(ctx, { id, errors_sealed })[0] ?? null,
        target: { kind: 'application' as const, id: application_id, name },
        application_id,
        deployment_id: id,
        since,
      })),
    ...certificates.map(({ host, error, application_id, name, since }) => ({
      kind: 'certificate_failed' as const,
      summary: `${host} has no certificate.`,
      reason: error,
      target: { kind: 'application' as const, id: application_id, name },
      application_id,
      deployment_id: null,
      since,
    })),
  ]
  const known = {
    servers: new Set<string>(servers.map(({ id }) => id)),
    unhealthyTargets: new Set<string>(down.keys()),
    failed: new Set<string>([...down.keys(), ...failed.map(({ application_id }) => application_id)]),
    hosts: new Set(certificates.map(({ host }) => host)),
  }
  all.push(...(await firingIncidents(db, workspaceId, now(), known)), ...others.flat())
  return all.toSorted((a, b) => b.since.getTime() - a.since.getTime())
}

async function unhealthyApplications(db: Context['db'], workspaceId: Id<'workspace'>): Promise<Attention[]> {
  const unhealthySince = new Map(
    (await listUnhealthyApplications(db, workspaceId)).map(({ id, since }) => [id, since]),
  )
  const states = await listApplicationStates(db, workspaceId, [...unhealthySince.keys()])
  return states.flatMap(({ id, name, state, reason }) => {
    const text = attentionTexts[state]
    if (text === undefined) return []
    return {
      kind: state === 'degraded' ? ('application_degraded' as const) : ('application_failed' as const),
      summary: `${name} ${text}.`,
      reason: reason,
      target: { kind: 'application' as const, id, name },
      application_id: id,
      deployment_id: null,
      since: unhealthySince.get(id) ?? new Date(),
    }
  })
}

const attentionTexts: Partial<Record<(typeof applicationStates)[number], string>> = {
  failed: 'is not running',
  crashing: 'is crashing',
  degraded: 'is partly running',
}

/** Lists full disks without an incident. With one, the incident is listed, unless it is muted. */
const fullDisks = async (db: Context['db'], workspaceId: Id<'workspace'>): Promise<Attention[]> =>
  (await listFullDisks(db, workspaceId)).map(({ id, name, share, since }) => ({
    kind: 'disk_full',
    summary: `The disk of ${name} is ${Math.floor(share * 100)} % full.`,
    reason: null,
    target: { kind: 'server', id, name },
    application_id: null,
    deployment_id: null,
    since,
  }))

const expiringCertificates = async (
  db: Context['db'],
  workspaceId: Id<'workspace'>,
  now: Date,
): Promise<Attention[]> =>
  (await listExpiringCertificates(db, workspaceId, now)).map(
    ({ host, application_id, name, expires_at }) => ({
      kind: 'certificate_expiring',
      summary:
        expires_at > now
          ? `The certificate of ${host} expires soon.`
          : `The certificate of ${host} has expired.`,
      reason: null,
      target: { kind: 'application', id: application_id, name },
      application_id,
      deployment_id: null,
      since: expires_at,
    }),
  )

const pausedChannels = async (db: Context['db'], workspaceId: Id<'workspace'>): Promise<Attention[]> =>
  (await listPausedChannels(db, workspaceId)).map(({ id, name, reason, since }) => ({
    kind: 'channel_paused',
    summary: `The channel ${name} is paused after repeated failures.`,
    reason: reason,
    target: { kind: 'notification', id, name },
    application_id: null,
    deployment_id: null,
    since,
  }))

function serverProblem(status: string, creationFailed: boolean): string {
  if (status === 'unreachable') return 'is unreachable'
  if (status === 'deleting') return 'has not been destroyed yet'
  return creationFailed ? 'could not be created' : 'could not be set up'
}

interface KnownProblems {
  servers: ReadonlySet<string>
  unhealthyTargets: ReadonlySet<string>
  failed: ReadonlySet<string>
  hosts: ReadonlySet<string>
}

async function firingIncidents(
  db: Context['db'],
  workspaceId: Id<'workspace'>,
  now: Date,
  known: KnownProblems,
): Promise<Attention[]> {
  const firing = await listFiringIncidents(db, workspaceId, now)
  return firing
    .filter((incident) => quietUntil(incident, now) === null && !isAlreadyListed(incident, known))
    .map(({ id, kind, severity, summary, subject_name, server_id, application_id, since }) => ({
      kind: `alert_${severity}` as const,
      summary,
      reason: null,
      target: { kind: 'incident' as const, id, name: subject_name },
      application_id,
      deployment_id: null,
      alert: { kind, server_id, application_id },
      since,
    }))
}

function isAlreadyListed(
  incident: Awaited<ReturnType<typeof listFiringIncidents>>[number],
  known: KnownProblems,
): boolean {
  const { kind, subject_name: name, server_id: server, application_id: application } = incident
  if (kind === 'server_unreachable') return server !== null && known.servers.has(server)
  if (kind === 'certificate_expiry') return known.hosts.has(name)
  if (application === null) return false
  if (kind === 'deployment_failed') return known.failed.has(application)
  return unhealthyKinds.has(kind) && known.unhealthyTargets.has(application)
}

const unhealthyKinds = new Set<AlertKindName>([
  'container_stopped',
  'container_unhealthy',
  'container_restarting',
  'http_check',
])
