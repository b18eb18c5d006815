import { TextCursorInput } from 'lucide-react'
import { useId, useState } from 'react'
import { readDotenv, writeVariables } from '../../../../contract/shared/dotenv.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Textarea } from '../../../ui/form/input.tsx'
import { VariableRows } from '../environment/variable-rows.tsx'
import { FieldWarnings, listVariableWarnings } from '../environment/variable-warnings.tsx'
import { changeDraft } from './new-draft-store.ts'
import { isComposeDraft } from './new-draft.ts'
import type { PartProps } from './new-fields.tsx'

/** Shows rows by default, or text if it has syntax errors, which rows cannot represent. */
export function NewEnvironment({ draft, errors }: PartProps) {
  const { env } = draft
  const { entries, problems } = readDotenv(env)
  const [isText, setIsText] = useState(problems.length > 0)
  const id = useId()
  const error = errors['env']
  const change = (text: string) => changeDraft({ env: text })
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-4">
        <p className="text-sm text-muted">
          {isComposeDraft(draft) && 'Variables replace ${NAME} in the compose file. '}
          Paste a .env file to add its variables. Encrypted at rest.
        </p>
        <Button
          size="small"
          variant="ghost"
          disabled={isText && problems.length > 0}
          onClick={() => {
            // Rows hold values only, so drop comments and replace references such as $NAME.
            if (isText) change(writeVariables(entries))
            setIsText(!isText)
          }}
        >
          <TextCursorInput aria-hidden />
          {isText ? 'Edit as rows' : 'Edit as text'}
        </Button>
      </div>
      {isText ? (
        <>
          <Field label="Variables" help="KEY=value, one per line." error={error}>
            <Textarea
              name="env"
              mono
              rows={Math.min(Math.max(env.split('\n').length + 1, 5), 20)}
              value={env}
              onChange={({ target }) => change(target.value)}
              placeholder={'DATABASE_URL=postgres://db/shop\nLOG_LEVEL=info'}
            />
          </Field>
          <FieldWarnings remarks={listVariableWarnings(env)} />
        </>
      ) : (
        <>
          <VariableRows
            text={env}
            onChange={change}
            onPasteText={(text) => {
              change(text)
              setIsText(true)
            }}
            error={error}
            errorId={`${id}-error`}
          />
          {error && (
            <p id={`${id}-error`} className="text-sm text-red-ink">
              {error}
            </p>
          )}
          <FieldWarnings
            remarks={listVariableWarnings(env).map((remark) => remark.replace(/^Line/, 'Row'))}
          />
        </>
      )}
    </div>
  )
}
