import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { type Actor, getTokenLimit, hasPermission } from '../../route.ts'
import {
  type ApplicationQuery,
  type ApplicationRow,
  getApplicationRow,
  listApplicationRows,
} from './application.ts'
import { findChangedApplications, findCrashedRelease } from './changes/find-changes.ts'
import { describeDrift } from './changes/drift.ts'
import { type ApplicationFacts, listApplicationFacts } from './application-facts.ts'
import { createActorRedactor } from './redactor.ts'
import { findSource, type SourceRow, toRepositorySettings } from './source.ts'
import type { z } from 'zod'
import type { application, applicationDetails } from '../../../contract/applications.ts'
import { toApplicationUrl } from './hosts/domain-url.ts'
import { openCommand } from './config.ts'
import { computeApplicationState } from './application-state.ts'

export async function listApplications(ctx: Context, actor: Actor, query: ApplicationQuery) {
  const { rows, page } = await listApplicationRows(ctx.db, actor.workspace.id, query, getTokenLimit(actor))
  const { applications } = await presentApplications(ctx, actor, rows)
  return { applications, page }
}

export async function presentApplications(ctx: Context, actor: Actor, rows: ApplicationRow[]) {
  const workspaceId = actor.workspace.id
  const ids = rows.map(({ id }) => id)
  const [allFacts, changed] = await Promise.all([
    listApplicationFacts(ctx.db, workspaceId, ids),
    findChangedApplications(ctx, workspaceId, rows),
  ])
  const factsById = new Map(allFacts.map((facts) => [facts.id, facts]))
  const applications = rows.flatMap((row) => {
    const facts = factsById.get(row.id)
    // The application may have been deleted between the two queries.
    return facts ? [{ ...presentApplication(ctx, row, facts, changed.has(row.id)), id: row.id }] : []
  })
  const redact = await createActorRedactor(
    ctx,
    actor,
    applications.flatMap(({ id, reason }) => (reason === null ? [] : [id])),
  )
  return {
    applications: applications.map(({ reason, ...application }) => ({
      ...application,
      reason: reason && redact(application.id, reason),
    })),
    factsById,
  }
}

export async function getApplication(ctx: Context, actor: Actor, id: Id<'application'>) {
  const row = await getApplicationRow(ctx, actor, id)
  const details = await toApplicationDetails(ctx, row)
  if (hasPermission(actor, 'applications.manage')) return details
  const { reason, drift, proxy_error } = details
  const hasSentence = reason !== null || proxy_error !== null || drift.length > 0
  const redact = await createActorRedactor(ctx, actor, hasSentence ? [id] : [])
  return withoutSecretValues(details, (text) => redact(id, text))
}

export async function toApplicationDetails(ctx: Context, row: ApplicationRow) {
  const { workspace_id: workspaceId, id } = row
  const [[facts], changed, drift, source] = await Promise.all([
    listApplicationFacts(ctx.db, workspaceId, [id]),
    findChangedApplications(ctx, workspaceId, [row]),
    describeDrift(ctx, row),
    findSource(ctx.db, workspaceId, id),
  ])
  if (!facts) throw notFound('This application')
  const crashed = facts.is_older ? await findCrashedRelease(ctx, row) : null
  return presentApplicationDetails(ctx, row, facts, { changed: changed.has(id), crashed, drift, source })
}

const presentApplication = (
  { config }: Pick<Context, 'config'>,
  row: ApplicationRow,
  facts: ApplicationFacts,
  changed: boolean,
): z.input<typeof application> => ({
  id: row.id,
  name: row.name,
  ...computeApplicationState(row, facts),
  source: {
    type: row.source_type,
    image: row.image,
    services: row.services?.toSorted() ?? null,
    profiles: row.profiles,
    repository: facts.repository && {
      ...facts.repository,
      url: `${config.GITHUB_URL}/${facts.repository.name}`,
    },
  },
  logo: row.logo,
  favicon: facts.favicon_key && `/v1/favicons/${facts.favicon_key}`,
  server: { id: row.server_id, name: facts.server_name },
  project: facts.project,
  address: toApplicationUrl(facts),
  usage: facts.live ? facts.usage : null,
  changed,
  release: toReleaseSummary(row, facts),
  deployment: facts.deployment && {
    ...facts.deployment,
    status:
      facts.deployment.crashed && facts.deployment.status === 'completed'
        ? 'crashed'
        : facts.deployment.status,
    created_at: new Date(facts.deployment.created_at).toISOString(),
  },
  created_at: row.created_at.toISOString(),
})

function toReleaseSummary(
  { release_id: id }: ApplicationRow,
  facts: ApplicationFacts,
): z.input<typeof application>['release'] {
  const { release_number: number, release_image: image, is_older: older, release_commit: commit } = facts
  return id !== null && number !== null && image !== null ? { id, number, image, older, commit } : null
}

type Details = z.input<typeof applicationDetails>

const withoutSecretValues = (details: Details, redact: (text: string) => string): Details => ({
  ...details,
  masked: true,
  command: null,
  repository: details.repository && {
    ...details.repository,
    generated: null,
    build_args: details.repository.build_args.map(({ key }) => ({ key, value: null })),
  },
  reason: details.reason === null ? null : redact(details.reason),
  drift: details.drift.map(redact),
  proxy_error: details.proxy_error === null ? null : redact(details.proxy_error),
})

const presentApplicationDetails = (
  ctx: Pick<Context, 'config' | 'secrets'>,
  row: ApplicationRow,
  facts: ApplicationFacts,
  {
    changed,
    crashed,
    drift,
    source,
  }: {
    changed: boolean
    crashed: z.input<typeof applicationDetails>['crashed_release']
    drift: string[]
    source: SourceRow | undefined
  },
): z.input<typeof applicationDetails> => ({
  ...presentApplication(ctx, row, facts, changed),
  masked: false,
  repository: source ? toRepositorySettings(ctx, source) : null,
  command: openCommand(ctx, row),
  port: row.port,
  health: row.health,
  memory_limit: row.memory_limit,
  cpu_limit: row.cpu_limit,
  replicas: row.replicas,
  restart: row.restart,
  stop_grace_seconds: row.stop_grace_seconds,
  drain_seconds: row.drain_seconds,
  stop_first: row.stop_first,
  auto_rollback: row.auto_rollback,
  log_days: row.log_days,
  log_megabytes: row.log_megabytes,
  maintenance: row.maintenance,
  crashed_release: crashed,
  drift,
  proxy_error: facts.proxy_error,
})
