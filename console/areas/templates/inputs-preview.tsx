import { Card } from '../../ui/card.tsx'
import { isFormField } from './deploy-draft.ts'
import { InputField } from './input-field.tsx'
import type { TemplateInput } from './queries.ts'

/** Preview of the deploy form. */
export function InputsPreview({ inputs }: { inputs: readonly TemplateInput[] }) {
  const fields = inputs.filter(isFormField)
  if (fields.length === 0) return null
  return (
    <Card title="Form preview" description="The fields shown when the template is deployed.">
      <fieldset disabled className="flex max-w-2xl flex-col gap-4">
        <legend className="sr-only">Form preview</legend>
        {fields.map((input) => (
          <InputField
            key={input.name}
            input={input}
            value={input.default ?? ''}
            onChange={() => undefined}
            error={undefined}
          />
        ))}
      </fieldset>
    </Card>
  )
}
