import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/pagination.ts'
import { type Actor, getTokenLimit } from '../../route.ts'
import { withinLimit } from '../api-tokens/token-limit.ts'
import { presentCertificate } from './certificate.ts'
import { type DomainRow, listCertificates } from './store.ts'

interface ListedRow extends Pick<DomainRow, 'id' | 'service' | 'host' | 'path' | 'https' | 'generated'> {
  application_id: Id<'application'>
  application_name: string
  verified: boolean
}

/** Domains of all applications; those whose certificate expires next come first, those without one last. */
export async function listWorkspaceDomains(ctx: Context, actor: Actor, query: SearchQuery) {
  const workspaceId = actor.workspace.id
  const like = containsPattern(query.q ?? '')
  const { rows, page } = await readPage<ListedRow>(
    ctx.db,
    {
      from: sql`
        select d.id, d.service, d.host, d.path, d.https, d.generated, a.id as application_id, a.name as application_name,
          n.verified_at is not null as verified,
          coalesce(to_char(c.expires_at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS.US'), 'none') as expires
        from domains d
        join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id and a.deleting_at is null
        left join host_names n on n.workspace_id = d.workspace_id and n.host = d.host
        left join certificates c on c.workspace_id = d.workspace_id and c.host = d.host and d.https
        where d.workspace_id = ${workspaceId} and ${withinLimit(getTokenLimit(actor), 'a')}
          and (d.host ilike ${like} or a.name ilike ${like})`,
      order: ['expires', 'host', 'id'],
      direction: 'asc',
    },
    query,
  )
  const hosts = rows.map(({ host }) => host)
  const certificates = await listCertificates(ctx.db, workspaceId, hosts)
  return {
    domains: rows.map(({ application_id, application_name, ...row }) => {
      const certificate = row.https && certificates.find(({ host }) => host === row.host)
      return {
        ...row,
        application: { id: application_id, name: application_name },
        certificate: certificate ? presentCertificate(certificate) : null,
      }
    }),
    page,
  }
}
