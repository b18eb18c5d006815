import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'

interface ContainerImage {
  id: string
  image: string
}

/** Slipway starts containers by image ID, which Docker then reports; the release knows the name. */
export async function nameImages<C extends ContainerImage>(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  containers: readonly C[],
): Promise<C[]> {
  const unnamed = containers.flatMap(({ id, image }) => (isDigest(image) ? [id] : []))
  if (unnamed.length === 0) return [...containers]
  const { rows } = await sql<ContainerImage>`
    select i.container_id as id, coalesce(s.image, r.image) as image
    from instances i
    join releases r on r.workspace_id = i.workspace_id and r.id = i.release_id
    left join lateral (
      select service->>'image' as image
      from jsonb_array_elements(coalesce(r.config->'services', '[]'::jsonb)) as services (service)
      where service->>'name' = i.service limit 1) s on true
    where i.workspace_id = ${workspaceId} and i.server_id = ${serverId} and i.container_id = any(${unnamed})`.execute(
    db,
  )
  const names = new Map(rows.map(({ id, image }) => [id, image]))
  return containers.map((container) => ({ ...container, image: names.get(container.id) ?? container.image }))
}

const isDigest = (image: string) => /^(sha256:)?[0-9a-f]{12,64}$/.test(image)
