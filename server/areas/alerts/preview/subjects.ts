import { type RawBuilder, sql } from 'kysely'
import type { AlertKind, AlertKindName } from '../../../../contract/shared/alert-kinds.ts'
import { alertKinds } from '../../../../contract/shared/alert-kinds.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import type { AlertCondition } from '../definition.ts'
import type { PreviewSubject } from './history.ts'

/** Limits the subjects whose history is read. */
const MAX_SUBJECTS = 200

export async function listSubjects(
  db: Db,
  workspaceId: Id<'workspace'>,
  kind: AlertKindName,
  { scope }: AlertCondition,
): Promise<{ subjects: PreviewSubject[]; total: number }> {
  const { subject }: AlertKind = alertKinds[kind]
  const from = selects[subject](workspaceId, kind, scope)
  const { rows } = await sql<PreviewSubject & { total: number }>`
    select *, (count(*) over ())::integer as total from (${from}) as listed
    order by lower(name), key limit ${MAX_SUBJECTS}`.execute(db)
  return { subjects: rows, total: rows[0]?.total ?? 0 }
}

type Select = (
  workspaceId: Id<'workspace'>,
  kind: AlertKindName,
  scope: AlertCondition['scope'],
) => RawBuilder<unknown>

const selects: Record<AlertKind['subject'], Select> = {
  server: (workspaceId, _, { kind, id }) => sql`
    select s.id as key, s.id, s.name, s.id as server_id, s.cpus, s.status, s.created_at, null::timestamptz as expires_at
    from servers s where s.workspace_id = ${workspaceId} and s.status <> 'deleting'
      and (${kind === 'all'} or s.id = ${id} or exists (select from project_servers p
        where p.workspace_id = s.workspace_id and p.server_id = s.id and p.project_id = ${id}))`,
  container: (workspaceId, _, { kind, id, container }) => sql`
    select c.server_id || ' ' || c.id as key, c.id, c.name, c.server_id, null::integer as cpus, null as status,
      c.created_at, null::timestamptz as expires_at
    from containers c
    left join applications a on a.workspace_id = c.workspace_id and a.id = c.application_id
    where c.workspace_id = ${workspaceId}
      and (${kind === 'all'} or a.id = ${id} or a.project_id = ${id}
        or c.server_id = ${id} and (${kind === 'server'} or c.name = ${container}))`,
  application: (workspaceId, of, { kind, id }) => sql`
    select a.id as key, a.id, a.name, a.server_id, null::integer as cpus, null as status,
      a.created_at, null::timestamptz as expires_at
    from applications a where a.workspace_id = ${workspaceId} and a.deleting_at is null
      and (${kind === 'all'} or ${id} in (a.id, a.project_id, a.server_id))
      and (${of !== 'http_check'} or a.wanted = 'running' and a.release_id is not null and not a.maintenance
        and exists (select from domains d where d.workspace_id = a.workspace_id and d.application_id = a.id))`,
  certificate: (workspaceId, _, { kind, id }) => sql`
    select distinct t.id as key, t.id, t.host as name, null as server_id, null::integer as cpus, null as status,
      t.created_at, t.expires_at
    from certificates t
    join domains d on d.workspace_id = t.workspace_id and d.host = t.host and d.https
    join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id and a.deleting_at is null
    where t.workspace_id = ${workspaceId} and t.chain is not null and t.expires_at is not null
      and (${kind === 'all'} or ${id} in (a.id, a.project_id, a.server_id))`,
}
