import { countVariables } from '../entries/entry-counts.ts'
import { LinesField, type PartProps } from './new-fields.tsx'
import { FieldWarnings } from '../field-warnings.tsx'
import { listVariableWarnings } from '../environment/variable-warnings.ts'

export const VariablesField = ({ help, ...part }: PartProps & { help: string }) => (
  <div className="flex flex-col gap-1.5">
    <LinesField
      {...part}
      name="env"
      label="Environment variables"
      optional
      rows={5}
      placeholder={'DATABASE_URL=postgres://db/shop\nLOG_LEVEL=info'}
      help={<span aria-live="polite">{countVariables(part.draft.env) ?? help}</span>}
    />
    <FieldWarnings remarks={listVariableWarnings(part.draft.env)} />
  </div>
)
