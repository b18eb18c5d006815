import type { Pair } from '../../../../contract/shared/entries.ts'
import type { Context } from '../../../context.ts'

interface SealedVariable {
  id: string
  key: string
  value_sealed: string
  updated_at: Date
}

type Secrets = Pick<Context, 'secrets'>

/** Variables of an application and of a project, and labels, are alike but for whose they are: each value is sealed for its row. */
export function sealedIn(table: 'variables' | 'project_variables' | 'labels') {
  const place = (id: string) => `${table}.value_sealed:${id}`
  const open = (
    { secrets }: Secrets,
    { id, value_sealed: sealed }: Pick<SealedVariable, 'id' | 'value_sealed'>,
  ) => secrets.open(place(id), sealed)
  const sealValue = ({ secrets }: Secrets, id: string, value: string) => secrets.seal(place(id), value)
  const seal = ({ secrets, now }: Pick<Context, 'secrets' | 'now'>, id: string, { key, value }: Pair) => ({
    key,
    value_sealed: sealValue({ secrets }, id, value),
    updated_at: now(),
  })
  return {
    open,
    seal,
    sealValue,
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
