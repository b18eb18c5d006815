import type { Pair } from '../../../../contract/shared/entries.ts'
import type { Context } from '../../../context.ts'

interface SealedVariable {
  id: string
  key: string
  value_sealed: string
  updated_at: Date
}

type Secrets = Pick<Context, 'secrets'>

/** Shared by application variables, project variables and labels. Each value is sealed for its row. */
export function sealedEntries(table: 'variables' | 'project_variables' | 'labels') {
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
    /** Unchanged values keep their modification time. */
    change: <Row extends SealedVariable>(ctx: Context, row: Row, input: Pair): Row =>
      row.key === input.key && open(ctx, row) === input.value ? row : { ...row, ...seal(ctx, row.id, input) },
    /** Omits the ID, whose type depends on the table. */
    present: (ctx: Secrets, row: SealedVariable, withValue = true) => ({
      key: row.key,
      value: withValue ? open(ctx, row) : null,
      updated_at: row.updated_at.toISOString(),
    }),
  }
}
