import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { Invalid, notFound } from '../../../errors.ts'
import type { Actor } from '../../../route.ts'
import type { Db, Trx } from '../../../tables.ts'
import type { Entry, EntryTable } from '../config.ts'
import type { EventType } from '../../../../contract/shared/events.ts'
import { assertNotCompose } from '../compose.ts'
import { type ApplicationRow, emitApplicationChange, withLockedApplication } from '../application.ts'

const most = 500

interface Owner {
  id: string
  workspace_id: Id<'workspace'>
}

/** Variables, labels and volumes: ordered lists of an application or project. */
export interface EntryKind<Row extends Entry, Input, Shown, O extends Owner = ApplicationRow> {
  table: EntryTable
  field: string
  what: string
  name: string
  getName: (entry: Row | Input) => string
  list: (db: Db, workspaceId: Id<'workspace'>, id: O['id']) => Promise<Row[]>
  create: (ctx: Context, owner: Pick<O, 'id' | 'workspace_id'>, input: Input, position: number) => Row
  /** Returns the same object if nothing changes. */
  change: (ctx: Context, row: Row, input: Input) => Row
  present: (ctx: Context, row: Row, owner: O) => Shown
  check?: (
    target: { ctx: Context; actor: Actor; owner: O },
    rows: { before: readonly Row[]; changed: readonly Row[] },
    toPrefix: (row: Row) => string,
  ) => Promise<void>
  within: <T>(ctx: Context, actor: Actor, id: O['id'], work: (trx: Trx, owner: O) => Promise<T>) => Promise<T>
  note: (trx: Trx, actor: Actor, owner: O, names: string[]) => Promise<void>
}

/** Shared by all kinds of entries. Writes return entries as the API shows them. */
export function entryUseCases<Row extends Entry, Input, Shown, O extends Owner>(
  kind: EntryKind<Row, Input, Shown, O>,
) {
  const { getName, name, what } = kind

  const changeEntries = (
    ctx: Context,
    actor: Actor,
    id: O['id'],
    change: (before: Row[], owner: O) => Row[],
    toPrefix: (row: Row) => string = () => '',
  ): Promise<{ owner: O; rows: Row[] }> =>
    kind.within(ctx, actor, id, async (trx, owner) => {
      const before = await kind.list(trx, actor.workspace.id, id)
      const rows = change(before, owner)
      const changed = await writeEntries(trx, actor.workspace.id, kind.table, before, rows)
      if (changed.length > 0)
        await kind.check?.(
          { ctx: { ...ctx, db: trx }, actor, owner },
          { before, changed: rows.filter((row) => changed.includes(row)) },
          toPrefix,
        )
      if (changed.length > 0) await kind.note(trx, actor, owner, changed.map(getName))
      return { owner, rows }
    })

  const writeEntry = async (
    ctx: Context,
    actor: Actor,
    id: O['id'],
    input: Input,
    change: (before: Row[], owner: O) => Row[],
  ): Promise<Shown> => {
    const { owner, rows } = await changeEntries(ctx, actor, id, (before, owner) => {
      const rows = change(before, owner)
      if (new Set(rows.map(getName)).size < rows.length)
        throw new Invalid({ [name]: [`A ${what} with this ${name} already exists.`] })
      return rows
    })
    const written = rows.find((row) => getName(row) === getName(input))
    if (!written) throw new Error('The written entry is missing.')
    return kind.present(ctx, written, owner)
  }

  const getEntry = (rows: readonly Row[], id: string): Row => {
    const row = rows.find((entry) => entry.id === id)
    if (!row) throw notFound(`This ${what}`)
    return row
  }

  return {
    create: (ctx: Context, actor: Actor, id: O['id'], input: Input) =>
      writeEntry(ctx, actor, id, input, (before, owner) => {
        if (before.length >= most)
          throw new Invalid({
            [name]: [`The limit of ${most} ${what}s is reached. Remove one before you add another.`],
          })
        const last = Math.max(-1, ...before.map(({ position }) => position))
        return [...before, kind.create(ctx, owner, input, last + 1)]
      }),

    update: (ctx: Context, actor: Actor, id: O['id'], entryId: string, input: Input) =>
      writeEntry(ctx, actor, id, input, (before) => {
        const row = getEntry(before, entryId)
        return before.map((entry) => (entry === row ? kind.change(ctx, row, input) : entry))
      }),

    async delete(ctx: Context, actor: Actor, id: O['id'], entryId: string): Promise<void> {
      await changeEntries(ctx, actor, id, (before) => {
        const row = getEntry(before, entryId)
        return before.filter((entry) => entry !== row)
      })
    },

    async replace(ctx: Context, actor: Actor, id: O['id'], inputs: readonly Input[]): Promise<Shown[]> {
      const { owner, rows } = await changeEntries(
        ctx,
        actor,
        id,
        (before, owner) => replaceRows(ctx, kind, owner, before, inputs),
        ({ position }) => `${kind.field}.${position}.`,
      )
      return rows.map((row) => kind.present(ctx, row, owner))
    },
  }
}

/** Entries that keep their key keep their row. */
export function replaceRows<Row extends Entry, Input, Shown, O extends Owner>(
  ctx: Context,
  kind: EntryKind<Row, Input, Shown, O>,
  owner: Pick<O, 'id' | 'workspace_id'>,
  before: readonly Row[],
  inputs: readonly Input[],
): Row[] {
  const known = new Map(before.map((row) => [kind.getName(row), row]))
  return inputs.map((input, position) => {
    const row = known.get(kind.getName(input))
    return row ? { ...kind.change(ctx, row, input), position } : kind.create(ctx, owner, input, position)
  })
}

export const applicationEntries = (
  event: EventType & `application.${string}`,
  plural?: string,
): Pick<EntryKind<Entry, unknown, unknown>, 'within' | 'note'> => ({
  within: (ctx, actor, id, work) =>
    withLockedApplication(ctx, actor, id, (trx, application) => {
      if (plural) assertNotCompose(application, plural)
      return work(trx, application)
    }),
  note: (trx, actor, application, names) => emitApplicationChange(trx, actor, application, event, names),
})

export async function writeEntries<Row extends Entry>(
  trx: Trx,
  workspaceId: Id<'workspace'>,
  table: EntryTable,
  before: readonly Row[],
  rows: readonly Row[],
): Promise<Row[]> {
  const known = new Map(before.map((row) => [row.id, row]))
  const kept = new Set(rows.map(({ id }) => id))
  const removed = before.filter(({ id }) => !kept.has(id))
  const written = rows.filter((row) => !isSame(row, known.get(row.id)))
  const ids = [...removed, ...written].map(({ id }) => id)
  if (ids.length === 0) return []
  const name = sql.table(table)
  const owned = JSON.stringify(written.map((row) => ({ ...row, workspace_id: workspaceId })))
  await sql`delete from ${name} where workspace_id = ${workspaceId} and id = any(${ids})`.execute(trx)
  await sql`insert into ${name} select * from jsonb_populate_recordset(null::${name}, ${owned}::jsonb)`.execute(
    trx,
  )
  // A new position alone is not a change.
  const isMoved = (row: Row) =>
    isSame({ ...row, position: known.get(row.id)?.position ?? -1 }, known.get(row.id))
  return [...removed, ...written.filter((row) => !isMoved(row))]
}

const isSame = (a: Entry, b: Entry | undefined) => b !== undefined && JSON.stringify(a) === JSON.stringify(b)
