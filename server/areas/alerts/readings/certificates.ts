import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import type { SubjectReading, Subject } from '../observation.ts'

interface Row {
  workspace_id: Id<'workspace'>
  id: Id<'certificate'>
  host: string
  application_id: Id<'application'>
  project_id: Id<'project'> | null
  server_id: Id<'server'>
  server_name: string
  days: number
}

/** Reads the whole days left, negative after expiry. A certificate is listed once for each application that uses it. */
export async function readCertificates(
  db: Db,
  workspaceIds: readonly Id<'workspace'>[],
): Promise<SubjectReading[]> {
  const { rows } = await sql<Row>`
    select distinct t.workspace_id, t.id, t.host, a.id as application_id, a.project_id, a.server_id,
      s.name as server_name, floor(extract(epoch from t.expires_at - now()) / 86400)::integer as days
    from certificates t
    join domains d on d.workspace_id = t.workspace_id and d.host = t.host and d.https
    join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id and a.deleting_at is null
    join servers s on s.workspace_id = a.workspace_id and s.id = a.server_id
    where t.workspace_id = any(${[...workspaceIds]}) and t.chain is not null and t.expires_at is not null
    order by t.host, a.id`.execute(db)
  return rows.map((row) => ({ subject: subjectOf(row), reading: { value: row.days } }))
}

const subjectOf = (row: Row): Subject => ({
  kind: 'certificate',
  id: row.id,
  name: row.host,
  workspace_id: row.workspace_id,
  server_id: row.server_id,
  server_name: row.server_name,
  application_id: row.application_id,
  projects: row.project_id === null ? [] : [row.project_id],
  container: null,
})
