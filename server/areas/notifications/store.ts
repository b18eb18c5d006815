import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import { type PageQuery, readPage } from '../../platform/page.ts'
import type { Db, Tables } from '../../tables.ts'

export type NotificationRow = Selectable<Tables['notifications']>

export const listNotificationRows = (db: Db, workspaceId: Id<'workspace'>, query: PageQuery) =>
  readPage<NotificationRow>(
    db,
    {
      from: sql`select *, lower(name) as sorted from notifications where workspace_id = ${workspaceId}`,
      order: ['sorted', 'id'],
      direction: 'asc',
    },
    query,
  )
