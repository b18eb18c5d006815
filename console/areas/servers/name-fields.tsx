import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { labelsError } from './read-labels.ts'

interface NameFieldsProps {
  draft: { typed: { name: string; labels: string }; onInput: (event: { target: EventTarget }) => void }
  errors: Record<string, string>
}

export const NameFields = ({ draft: { typed, onInput }, errors }: NameFieldsProps) => (
  <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
    <Field label="Name" error={errors['name']}>
      <Input name="name" value={typed.name} onChange={onInput} autoComplete="off" />
    </Field>
    <Field label="Labels" optional help="Separate with commas, such as web, eu." error={labelsError(errors)}>
      <Input name="labels" value={typed.labels} onChange={onInput} autoComplete="off" />
    </Field>
  </div>
)
