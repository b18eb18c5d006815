import type { EventType } from '../../../contract/events.ts'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { Invalid, notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import type { Db } from '../../tables.ts'
import { mustNotBeCompose } from './compose.ts'
import type { Entry, EntryTable } from './entries-store.ts'
import { noteChange } from './noted.ts'
import type { ApplicationRow } from './store.ts'
import { withApplication } from './with-application.ts'
import { writeEntries } from './write-entries.ts'

const most = 500

/** Variables, labels and volumes are lists of their application, and changed alike. */
export interface EntryKind<Row extends Entry, Given> {
  table: EntryTable
  /** The field of a whole list. */
  field: string
  /** How a person calls one. */
  what: string
  event: EventType & `application.${string}`
  /** The field that tells any two of one application apart. */
  name: string
  nameOf: (one: Row | Given) => string
  list: (db: Db, workspaceId: Id<'workspace'>, id: Id<'application'>) => Promise<Row[]>
  make: (ctx: Context, application: Owner, given: Given, position: number) => Row
  /** How a sentence about them begins, where a compose file names them itself. */
  plural?: string
  /** The row itself when it is so already. */
  change: (ctx: Context, row: Row, given: Given) => Row
  /** Throws for what this person may not do, or nobody; says so at the fields that `prefixOf` begins. */
  check?: (actor: Actor, changed: readonly Row[], prefixOf: (row: Row) => string) => void
}

export type Owner = Pick<ApplicationRow, 'id' | 'workspace_id'>

export interface Changed<Row> {
  application: ApplicationRow
  rows: Row[]
}

export const createEntry = <Row extends Entry, Given>(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  kind: EntryKind<Row, Given>,
  given: Given,
): Promise<Changed<Row>> =>
  changeEntries(ctx, actor, id, kind, (before, application) => {
    if (before.length >= most)
      throw new Invalid({ [kind.name]: [`There are ${most} already. Remove one before you add another.`] })
    const last = Math.max(-1, ...before.map(({ position }) => position))
    return onlyOnce(kind, [...before, kind.make(ctx, application, given, last + 1)])
  })

export const updateEntry = <Row extends Entry, Given>(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  kind: EntryKind<Row, Given>,
  entry: string,
  given: Given,
): Promise<Changed<Row>> =>
  changeEntries(ctx, actor, id, kind, (before) => {
    const row = getEntry(kind, before, entry)
    return onlyOnce(
      kind,
      before.map((one) => (one === row ? kind.change(ctx, row, given) : one)),
    )
  })

export const deleteEntry = <Row extends Entry, Given>(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  kind: EntryKind<Row, Given>,
  entry: string,
): Promise<Changed<Row>> =>
  changeEntries(ctx, actor, id, kind, (before) => {
    const row = getEntry(kind, before, entry)
    return before.filter((one) => one !== row)
  })

/** The one that was just written. */
export function writtenAs<Row extends Entry, Given>(
  { nameOf }: EntryKind<Row, Given>,
  rows: readonly Row[],
  given: Given,
): Row {
  const row = rows.find((one) => nameOf(one) === nameOf(given))
  if (!row) throw new Error('What was just written is not among the rows.')
  return row
}

/** Those that are there by this name stay the same rows. */
export const replaceEntries = <Row extends Entry, Given>(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  kind: EntryKind<Row, Given>,
  given: readonly Given[],
): Promise<Changed<Row>> =>
  changeEntries(
    ctx,
    actor,
    id,
    kind,
    (before, application) => {
      const known = new Map(before.map((row) => [kind.nameOf(row), row]))
      return given.map((one, position) => {
        const row = known.get(kind.nameOf(one))
        return row ? { ...kind.change(ctx, row, one), position } : kind.make(ctx, application, one, position)
      })
    },
    ({ position }) => `${kind.field}.${position}.`,
  )

/** What the rows are to be is made of what they are, while nobody else changes them. */
const changeEntries = <Row extends Entry, Given>(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  kind: EntryKind<Row, Given>,
  change: (before: Row[], application: ApplicationRow) => Row[],
  prefixOf: (row: Row) => string = () => '',
): Promise<Changed<Row>> =>
  withApplication(ctx, actor, id, async (trx, application) => {
    if (kind.plural) mustNotBeCompose(application, kind.plural)
    const before = await kind.list(trx, actor.workspace.id, id)
    const rows = change(before, application)
    const changed = await writeEntries(trx, actor.workspace.id, kind.table, before, rows)
    kind.check?.(
      actor,
      rows.filter((row) => changed.includes(row)),
      prefixOf,
    )
    if (changed.length > 0) await noteChange(trx, actor, application, kind.event, changed.map(kind.nameOf))
    return { application, rows }
  })

function getEntry<Row extends Entry, Given>(
  { what }: EntryKind<Row, Given>,
  rows: readonly Row[],
  id: string,
): Row {
  const row = rows.find((one) => one.id === id)
  if (!row) throw notFound(`This ${what}`)
  return row
}

function onlyOnce<Row extends Entry, Given>(
  { name, nameOf, what }: EntryKind<Row, Given>,
  rows: Row[],
): Row[] {
  if (new Set(rows.map(nameOf)).size < rows.length)
    throw new Invalid({ [name]: [`There is a ${what} with this ${name} already.`] })
  return rows
}
