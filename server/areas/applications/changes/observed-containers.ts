import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../../tables.ts'
import { containersAreLive } from '../../containers/live.ts'
import type { Instance } from '../instance.ts'
import type { Release } from '../release.ts'

type Container = Selectable<Tables['containers']>

export interface ObservedContainer {
  instance: Instance
  release: Pick<Release, 'id' | 'number' | 'config' | 'compose_sealed'>
  container: Pick<Container, 'id' | 'name' | 'state' | 'exit_code' | 'restarts' | 'revision'> | undefined
}

export async function listObservedContainers(
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, server_id }: { id: Id<'application'>; server_id: Id<'server'> },
): Promise<ObservedContainer[] | undefined> {
  const { rows } = await sql<{ seen: unknown }>`
    select 1 as seen from servers where workspace_id = ${workspaceId} and id = ${server_id} and ${containersAreLive('servers')}`.execute(
    db,
  )
  if (rows.length === 0) return undefined
  const instances = await db
    .selectFrom('instances as i')
    .innerJoin('releases as r', (on) =>
      on.onRef('r.workspace_id', '=', 'i.workspace_id').onRef('r.id', '=', 'i.release_id'),
    )
    .selectAll('i')
    .select(['r.number', 'r.config', 'r.compose_sealed'])
    .where('i.workspace_id', '=', workspaceId)
    .where('i.application_id', '=', id)
    .orderBy('r.number')
    .orderBy('i.service')
    .orderBy('i.replica')
    .execute()
  const containers = await db
    .selectFrom('containers')
    .select(['id', 'name', 'state', 'exit_code', 'restarts', 'revision'])
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', server_id)
    .where('application_id', '=', id)
    .execute()
  return instances.map(({ number, config, compose_sealed, ...instance }) => ({
    instance,
    release: { id: instance.release_id, number, config, compose_sealed },
    container: containers.find((container) => container.id === instance.container_id),
  }))
}

export const listUnknownContainers = (
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, server_id }: { id: Id<'application'>; server_id: Id<'server'> },
) =>
  db
    .selectFrom('containers as c')
    .select(['c.id', 'c.name'])
    .where('c.workspace_id', '=', workspaceId)
    .where('c.server_id', '=', server_id)
    .where('c.application_id', '=', id)
    // An instance row gets its container ID shortly after the container is created.
    .where(
      sql<boolean>`not exists (select from instances i where i.workspace_id = c.workspace_id
        and i.application_id = c.application_id and (i.container_id = c.id or (i.id = c.instance_id and i.container_id is null)))`,
    )
    .orderBy('c.name')
    .execute()
