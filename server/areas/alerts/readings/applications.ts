import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import { type ExpiryRule, isRenewalOverdue, wholeDaysLeft } from '../certificate-lifetime.ts'
import type { ObservedSubject, Reading } from '../observer.ts'

interface Row {
  workspace_id: Id<'workspace'>
  id: Id<'application'>
  name: string
  server_id: Id<'server'>
  server_name: string
  project_id: Id<'project'> | null
  called: boolean
  deployment_id: Id<'deployment'> | null
  failed: boolean
  finished_at: Date | null
}

export async function readApplications(db: Db): Promise<ObservedSubject[]> {
  const { rows } = await sql<Row>`
    select a.workspace_id, a.id, a.name, a.server_id, s.name as server_name, a.project_id,
      a.wanted = 'running' and a.release_id is not null and not a.maintenance
        and exists (select from domains where workspace_id = a.workspace_id and application_id = a.id) as called,
      d.id as deployment_id, coalesce(d.status = 'failed', false) as failed, d.finished_at
    from applications a
    join servers s on s.workspace_id = a.workspace_id and s.id = a.server_id
    left join lateral (
      select * from deployments
      where workspace_id = a.workspace_id and application_id = a.id and status in ('completed', 'failed')
      order by id desc limit 1
    ) d on true
    where a.deleting_at is null`.execute(db)
  return rows.map(toObservedApplication)
}

const toObservedApplication = (row: Row): ObservedSubject => ({
  subject: {
    kind: 'application',
    id: row.id,
    name: row.name,
    workspace_id: row.workspace_id,
    server_id: row.server_id,
    server_name: row.server_name,
    application_id: row.id,
    projects: row.project_id === null ? [] : [row.project_id],
    container: null,
  },
  skipReason: ({ kind }) =>
    kind === 'http_check' && !row.called ? `${row.name} is no longer in the scope of the alert.` : undefined,
  read({ kind, created_at }) {
    if (kind !== 'deployment_failed') return undefined
    // A failure from before the alert was created is not reported.
    const value = row.failed && row.finished_at !== null && row.finished_at >= created_at
    // The error may contain secrets, so only the sealed cause of the incident includes it.
    return { value, ...(row.deployment_id && { deployment_id: row.deployment_id }) }
  },
})

interface CertificateRow {
  workspace_id: Id<'workspace'>
  id: Id<'certificate'>
  host: string
  application_id: Id<'application'>
  project_id: Id<'project'> | null
  server_id: Id<'server'>
  server_name: string
  valid_from: Date | null
  expires_at: Date
  now: Date
}

/** A certificate is listed once for each application that uses it. */
export async function readCertificates(
  db: Db,
  workspaceIds: readonly Id<'workspace'>[],
): Promise<(ObservedSubject & { read: (alert: ExpiryRule) => Reading })[]> {
  const { rows } = await sql<CertificateRow>`
    select distinct t.workspace_id, t.id, t.host, a.id as application_id, a.project_id, a.server_id,
      s.name as server_name, t.valid_from, t.expires_at, now() as now
    from certificates t
    join domains d on d.workspace_id = t.workspace_id and d.host = t.host and d.https
    join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id and a.deleting_at is null
    join servers s on s.workspace_id = a.workspace_id and s.id = a.server_id
    where t.workspace_id = any(${[...workspaceIds]}) and t.chain is not null and t.expires_at is not null
    order by t.host, a.id`.execute(db)
  return rows.map(({ project_id, host, valid_from, expires_at, now, ...row }) => ({
    subject: {
      ...row,
      kind: 'certificate',
      name: host,
      projects: project_id === null ? [] : [project_id],
      container: null,
    },
    read(alert) {
      const value = wholeDaysLeft(expires_at, now.getTime())
      return { value, is_met: isRenewalOverdue(alert, { valid_from, expires_at }, now.getTime()) }
    },
  }))
}
