import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'

const paid = ['active', 'trialing']

/** Records when billing was turned on. Returns true for the first process that does. */
export const recordBillingStart = async (db: Db, since: Date) =>
  (
    await sql`insert into instance (name, value) values ('billing_since', ${since.toISOString()})
      on conflict do nothing returning name`.execute(db)
  ).rows.length > 0

export const deleteBillingStart = (db: Db) =>
  db.deleteFrom('instance').where('name', '=', 'billing_since').execute()

export async function extendAllTrials(db: Db, trial_ends_at: Date): Promise<void> {
  for (const table of ['workspaces', 'users'] as const)
    await db.updateTable(table).set({ trial_ends_at }).where('trial_ends_at', '<', trial_ends_at).execute()
}

export async function extendTrialsOfUser(db: Db, userId: Id<'user'>, trial_ends_at: Date) {
  await db.updateTable('users').set({ trial_ends_at }).where('id', '=', userId).execute()
  return db
    .updateTable('workspaces')
    .set({ trial_ends_at })
    .where('id', 'in', (e) =>
      e
        .selectFrom('members')
        .select('workspace_id')
        .where('user_id', '=', userId)
        .where('role', '=', 'owner'),
    )
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('subscriptions')
            .select('workspace_id')
            .whereRef('workspace_id', '=', 'workspaces.id')
            .where('stripe_status', 'in', paid),
        ),
      ),
    )
    .returning(['id', 'name'])
    .execute()
}
