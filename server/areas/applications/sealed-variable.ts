import type { Pair } from '../../../contract/entries.ts'
import type { Context } from '../../context.ts'

interface SealedVariable {
  id: string
  key: string
  value_sealed: string
  updated_at: Date
}

type Secrets = Pick<Context, 'secrets'>

/** Variables of an application and of a project are alike but for whose they are: each value is sealed for its row. */
export function sealedIn(table: 'variables' | 'project_variables') {
  const place = (id: string) => `${table}.value_sealed:${id}`
  const open = ({ secrets }: Secrets, { id, value_sealed: sealed }: SealedVariable) =>
    secrets.open(place(id), sealed)
  const seal = ({ secrets, now }: Pick<Context, 'secrets' | 'now'>, id: string, { key, value }: Pair) => ({
    key,
    value_sealed: secrets.seal(place(id), value),
    updated_at: now(),
  })
  return {
    open,
    seal,
    /** What stays as it is keeps the time of its last change. */
    change: <Row extends SealedVariable>(ctx: Context, row: Row, given: Pair): Row =>
      row.key === given.key && open(ctx, row) === given.value ? row : { ...row, ...seal(ctx, row.id, given) },
    /** All but the id, whose kind its table knows. */
    present: (ctx: Secrets, row: SealedVariable, withValue = true) => ({
      key: row.key,
      value: withValue ? open(ctx, row) : null,
      updated_at: row.updated_at.toISOString(),
    }),
  }
}
