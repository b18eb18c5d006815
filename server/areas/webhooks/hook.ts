import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { newToken } from '../../platform/tokens.ts'
import type { Actor } from '../../route.ts'
import { applicationTarget, withLockedApplication } from '../applications/application.ts'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tables } from '../../tables.ts'

export const hookSecretSealContext = (applicationId: string) => `hooks.secret_sealed:${applicationId}`

/** Creates the hook on first access. */
export const getHook = (ctx: Context, actor: Actor, id: Id<'application'>) =>
  withLockedApplication(ctx, actor, id, async (trx) => {
    const hook = newHook(ctx, actor, id)
    return presentHook(ctx, await upsertHook(trx, hook, { application_id: id }))
  })

/** Keeps the URL; the previous secret stops working. */
export const rotateHook = (ctx: Context, actor: Actor, id: Id<'application'>) =>
  withLockedApplication(ctx, actor, id, async (trx, application) => {
    const hook = newHook(ctx, actor, id)
    const { secret_sealed } = hook
    const row = await upsertHook(trx, hook, { secret_sealed, created_at: ctx.now() })
    await emit(trx, actor, actor.workspace.id, 'application.hook_rotated', applicationTarget(application))
    return presentHook(ctx, row)
  })

const newHook = (ctx: Context, actor: Actor, id: Id<'application'>) => ({
  workspace_id: actor.workspace.id,
  application_id: id,
  name: newToken('hook'),
  secret_sealed: ctx.secrets.seal(hookSecretSealContext(id), newToken('whs')),
})

/** Applies the changes when the application has a hook already. */
const upsertHook = (
  db: Db,
  row: Insertable<Tables['hooks']>,
  changes: Updateable<Tables['hooks']>,
): Promise<Hook> =>
  db
    .insertInto('hooks')
    .values(row)
    .onConflict((conflict) => conflict.column('application_id').doUpdateSet(changes))
    .returningAll()
    .executeTakeFirstOrThrow()

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
