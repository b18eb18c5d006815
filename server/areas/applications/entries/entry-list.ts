import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { Invalid, notFound } from '../../../errors.ts'
import type { Actor } from '../../../route.ts'
import type { Db, Trx } from '../../../tables.ts'
import { type Entry, type EntryTable, replaceEntryRows } from './entries-store.ts'
import type { ApplicationRow } from '../store.ts'
import type { EventType } from '../../../../contract/shared/events.ts'
import { assertNotCompose } from '../compose.ts'
import { emitApplicationChange, withLockedApplication } from '../application.ts'

const most = 500

interface Owner {
  id: string
  workspace_id: Id<'workspace'>
}

/** Variables, labels and volumes: ordered lists of an application or project. */
export interface EntryKind<Row extends Entry, Given, Of extends Owner = ApplicationRow> {
  table: EntryTable
  field: string
  what: string
  name: string
  nameOf: (one: Row | Given) => string
  list: (db: Db, workspaceId: Id<'workspace'>, id: Of['id']) => Promise<Row[]>
  make: (ctx: Context, owner: Pick<Of, 'id' | 'workspace_id'>, given: Given, position: number) => Row
  /** Returns the same object if nothing changes. */
  change: (ctx: Context, row: Row, given: Given) => Row
  check?: (
    of: { ctx: Context; actor: Actor; owner: Of },
    rows: { before: readonly Row[]; changed: readonly Row[] },
    prefixOf: (row: Row) => string,
  ) => Promise<void>
  within: <T>(
    ctx: Context,
    actor: Actor,
    id: Of['id'],
    work: (trx: Trx, owner: Of) => Promise<T>,
  ) => Promise<T>
  note: (trx: Trx, actor: Actor, owner: Of, names: string[]) => Promise<void>
}

interface Changed<Row, Of> {
  owner: Of
  rows: Row[]
}

export const createEntry = <Row extends Entry, Given, Of extends Owner>(
  ctx: Context,
  actor: Actor,
  id: Of['id'],
  kind: EntryKind<Row, Given, Of>,
  given: Given,
): Promise<Changed<Row, Of>> =>
  changeEntries(ctx, actor, id, kind, (before, owner) => {
    if (before.length >= most)
      throw new Invalid({
        [kind.name]: [`The limit of ${most} is reached. Remove one before you add another.`],
      })
    const last = Math.max(-1, ...before.map(({ position }) => position))
    return onlyOnce(kind, [...before, kind.make(ctx, owner, given, last + 1)])
  })

export const updateEntry = <Row extends Entry, Given, Of extends Owner>(
  ctx: Context,
  actor: Actor,
  id: Of['id'],
  kind: EntryKind<Row, Given, Of>,
  entry: string,
  given: Given,
): Promise<Changed<Row, Of>> =>
  changeEntries(ctx, actor, id, kind, (before) => {
    const row = getEntry(kind, before, entry)
    return onlyOnce(
      kind,
      before.map((one) => (one === row ? kind.change(ctx, row, given) : one)),
    )
  })

export const deleteEntry = <Row extends Entry, Given, Of extends Owner>(
  ctx: Context,
  actor: Actor,
  id: Of['id'],
  kind: EntryKind<Row, Given, Of>,
  entry: string,
): Promise<Changed<Row, Of>> =>
  changeEntries(ctx, actor, id, kind, (before) => {
    const row = getEntry(kind, before, entry)
    return before.filter((one) => one !== row)
  })

export function findWrittenEntry<Row extends Entry, Given, Of extends Owner>(
  { nameOf }: EntryKind<Row, Given, Of>,
  rows: readonly Row[],
  given: Given,
): Row {
  const row = rows.find((one) => nameOf(one) === nameOf(given))
  if (!row) throw new Error('The written entry is missing.')
  return row
}

/** Entries that keep their key keep their row. */
export const replaceEntries = <Row extends Entry, Given, Of extends Owner>(
  ctx: Context,
  actor: Actor,
  id: Of['id'],
  kind: EntryKind<Row, Given, Of>,
  given: readonly Given[],
): Promise<Changed<Row, Of>> =>
  changeEntries(
    ctx,
    actor,
    id,
    kind,
    (before, owner) => {
      const known = new Map(before.map((row) => [kind.nameOf(row), row]))
      return given.map((one, position) => {
        const row = known.get(kind.nameOf(one))
        return row ? { ...kind.change(ctx, row, one), position } : kind.make(ctx, owner, one, position)
      })
    },
    ({ position }) => `${kind.field}.${position}.`,
  )

const changeEntries = <Row extends Entry, Given, Of extends Owner>(
  ctx: Context,
  actor: Actor,
  id: Of['id'],
  kind: EntryKind<Row, Given, Of>,
  change: (before: Row[], owner: Of) => Row[],
  prefixOf: (row: Row) => string = () => '',
): Promise<Changed<Row, Of>> =>
  kind.within(ctx, actor, id, async (trx, owner) => {
    const before = await kind.list(trx, actor.workspace.id, id)
    const rows = change(before, owner)
    const changed = await writeEntries(trx, actor.workspace.id, kind.table, before, rows)
    if (changed.length > 0)
      await kind.check?.(
        { ctx: { ...ctx, db: trx }, actor, owner },
        { before, changed: rows.filter((row) => changed.includes(row)) },
        prefixOf,
      )
    if (changed.length > 0) await kind.note(trx, actor, owner, changed.map(kind.nameOf))
    return { owner, rows }
  })

function getEntry<Row extends Entry, Given, Of extends Owner>(
  { what }: EntryKind<Row, Given, Of>,
  rows: readonly Row[],
  id: string,
): Row {
  const row = rows.find((one) => one.id === id)
  if (!row) throw notFound(`This ${what}`)
  return row
}

function onlyOnce<Row extends Entry, Given, Of extends Owner>(
  { name, nameOf, what }: EntryKind<Row, Given, Of>,
  rows: Row[],
): Row[] {
  if (new Set(rows.map(nameOf)).size < rows.length)
    throw new Invalid({ [name]: [`A ${what} with this ${name} already exists.`] })
  return rows
}

export const applicationEntries = (
  event: EventType & `application.${string}`,
  plural?: string,
): Pick<EntryKind<Entry, unknown>, 'within' | 'note'> => ({
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
  const gone = before.filter(({ id }) => !kept.has(id))
  const written = rows.filter((row) => !isSame(row, known.get(row.id)))
  const ids = [...gone, ...written].map(({ id }) => id)
  if (ids.length === 0) return []
  await replaceEntryRows(trx, workspaceId, table, ids, written)
  // A new position alone is not a change.
  const isMoved = (row: Row) =>
    isSame({ ...row, position: known.get(row.id)?.position ?? -1 }, known.get(row.id))
  return [...gone, ...written.filter((row) => !isMoved(row))]
}

const isSame = (one: Entry, other: Entry | undefined) =>
  other !== undefined && JSON.stringify(one) === JSON.stringify(other)
