import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { changeApplication, getApplicationRow } from '../applications/application.ts'
import type { Plan } from '../applications/plan.ts'
import { interpolate } from '../compose/read/interpolate.ts'

/** Sealed, because notes may contain a generated password. */
const sealContext = (id: string) => `applications.notes_sealed:${id}`

/** With what was filled in. */
export const fillNotes = (notes: string | null, env: Plan['env']): string | null =>
  notes && interpolate(notes, new Map(env.map(({ key, value }) => [key, value])), { left: 100_000 }).text

export const sealNotes = (
  { secrets }: Pick<Context, 'secrets'>,
  id: Id<'application'>,
  notes: string | null,
): string | null => (notes === null ? null : secrets.seal(sealContext(id), notes))

export async function getNotes(ctx: Context, actor: Actor, id: Id<'application'>): Promise<string | null> {
  const { notes_sealed: sealed } = await getApplicationRow(ctx, actor, id)
  return sealed === null ? null : ctx.secrets.open(sealContext(id), sealed)
}

/** Dismisses the notes for all members. */
export async function deleteNotes(ctx: Context, actor: Actor, id: Id<'application'>): Promise<void> {
  await getApplicationRow(ctx, actor, id)
  await changeApplication(ctx.db, actor.workspace.id, id, { notes_sealed: null })
}
