import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { newToken } from '../../platform/tokens.ts'
import type { Actor } from '../../route.ts'
import { applicationTarget } from '../applications/application.ts'
import { withLockedApplication } from '../applications/with-application.ts'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tables } from '../../tables.ts'

export const hookSecretSealContext = (applicationId: string) => `hooks.secret_sealed:${applicationId}`

export const getHook = (ctx: Context, actor: Actor, id: Id<'application'>) =>
  withLockedApplication(ctx, actor, id, async (trx) =>
    presentHook(
      ctx,
      await insertHook(trx, { ...hookKey(actor, id), name: newToken('hook'), ...sealNewSecret(ctx, id) }),
    ),
  )

/** Keeps the URL; the previous secret stops working. */
export const rotateHook = (ctx: Context, actor: Actor, id: Id<'application'>) =>
  withLockedApplication(ctx, actor, id, async (trx, application) => {
    await insertHook(trx, { ...hookKey(actor, id), name: newToken('hook'), ...sealNewSecret(ctx, id) })
    const row = await updateHook(trx, actor.workspace.id, id, {
      ...sealNewSecret(ctx, id),
      created_at: ctx.now(),
    })
    await emit(trx, actor, actor.workspace.id, 'application.hook_rotated', applicationTarget(application))
    return presentHook(ctx, row)
  })

const hookKey = (actor: Actor, id: Id<'application'>) => ({
  workspace_id: actor.workspace.id,
  application_id: id,
})

const sealNewSecret = (ctx: Context, id: Id<'application'>) => ({
  secret_sealed: ctx.secrets.seal(hookSecretSealContext(id), newToken('whs')),
})

const presentHook = (ctx: Context, { application_id, name, secret_sealed, created_at, used_at }: Hook) => ({
  url: `${ctx.config.PUBLIC_URL}/v1/events/${name}`,
  secret: ctx.secrets.open(hookSecretSealContext(application_id), secret_sealed),
  created_at: created_at.toISOString(),
  used_at: used_at?.toISOString() ?? null,
})

type Hook = Selectable<Tables['hooks']>

/** Finds a hook by its URL name, which identifies the workspace. */
export const findHook = (db: Db, name: string) =>
  db
    .selectFrom('hooks as h')
    .innerJoin('applications as a', (on) =>
      on.onRef('a.workspace_id', '=', 'h.workspace_id').onRef('a.id', '=', 'h.application_id'),
    )
    .selectAll('h')
    .where('h.name', '=', name)
    .where('a.deleting_at', 'is', null)
    .executeTakeFirst()

const insertHook = (db: Db, row: Insertable<Tables['hooks']>): Promise<Hook> =>
  db
    .insertInto('hooks')
    .values(row)
    .onConflict((found) => found.column('application_id').doUpdateSet({ application_id: row.application_id }))
    .returningAll()
    .executeTakeFirstOrThrow()

const updateHook = (
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  changes: Pick<Updateable<Tables['hooks']>, 'secret_sealed' | 'created_at'>,
): Promise<Hook> =>
  db
    .updateTable('hooks')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .returningAll()
    .executeTakeFirstOrThrow()
