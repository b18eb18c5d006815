import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import { type CommandRow, leaseSeconds } from './store.ts'

// Queries span all workspaces, because a follower serves all of them.

export async function renewCommandLeases(
  db: Db,
  follower: string,
  ids: Id<'command'>[],
): Promise<Map<Id<'command'>, { cancelled: boolean }>> {
  const { rows } = await sql<{ id: Id<'command'>; cancelled: boolean }>`
    update commands set followed_until = now() + make_interval(secs => ${leaseSeconds})
    where follower = ${follower} and status = 'running' and id = any (${ids})
    returning id, cancel_requested_at is not null as cancelled`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function claimLapsedCommands(db: Db, follower: string, most: number): Promise<CommandRow[]> {
  const { rows } = await sql<CommandRow>`
    update commands set follower = ${follower}, followed_until = now() + make_interval(secs => ${leaseSeconds})
    where id in (
      select id from commands where status = 'running' and followed_until < now()
      order by id limit ${most} for update skip locked
    ) returning *`.execute(db)
  return rows
}

export const releaseCommandLeases = (db: Db, follower: string, ids: Id<'command'>[]) =>
  sql`update commands set followed_until = now() - interval '1 second'
    where follower = ${follower} and status = 'running' and id = any (${ids})`.execute(db)

export async function listLeftovers(db: Db): Promise<CommandRow[]> {
  const { rows } = await sql<CommandRow>`
    select * from commands where status <> 'running' and follower is not null
      and finished_at < now() - interval '1 minute' order by id desc limit 1000`.execute(db)
  return rows
}

export const markSpoolsRemoved = (db: Db, ids: Id<'command'>[]) =>
  sql`update commands set follower = null where status <> 'running' and id = any (${ids})`.execute(db)

const commandRetentionDays = 30
const keptOfServer = 1_000

export async function deleteOldCommands(db: Db): Promise<void> {
  await sql`
    delete from commands where id in (
      select id from (
        select id, created_at, row_number() over (partition by server_id order by id desc) as place
        from commands where status <> 'running'
      ) as ranked
      where place > ${keptOfServer} or created_at < now() - make_interval(days => ${commandRetentionDays})
    )`.execute(db)
  await sql`
    delete from outputs where source like 'cmd\\_%'
      and not exists (select from commands where id = source)`.execute(db)
}
