import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { TemplateInput } from './queries.ts'

interface InputFieldProps {
  input: TemplateInput
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** Template input. Empty fields get their default or a generated value. */
export function InputField({ input, value, onChange, error }: InputFieldProps) {
  const { label, help, type, required, choices } = input
  if (type === 'boolean')
    return (
      <Checkbox
        label={label}
        help={error ?? help ?? undefined}
        checked={value === 'true'}
        onChange={({ target }) => onChange(String(target.checked))}
      />
    )
  return (
    <Field label={label} help={help ?? undefined} error={error} optional={!required && !hasDefault(input)}>
      {type === 'choice' ? (
        <Select name={inputFieldName(input)} options={choices} value={value} onValueChange={onChange} />
      ) : (
        <TypedInput {...{ input, value, onChange }} />
      )}
    </Field>
  )
}

function TypedInput({ input, value, onChange }: Omit<InputFieldProps, 'error'>) {
  const { type, generate, default: preset } = input
  const props = {
    name: inputFieldName(input),
    value,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
    placeholder: generate ? 'Generated' : (preset ?? undefined),
    autoComplete: 'off',
  }
  if (type === 'secret') return <PasswordInput {...props} autoComplete="new-password" />
  return <Input {...props} {...kinds[type]} spellCheck={false} />
}

const kinds: Partial<Record<TemplateInput['type'], { type?: string; inputMode?: 'decimal' | 'url' }>> = {
  email: { type: 'email' },
  url: { inputMode: 'url' },
  number: { inputMode: 'decimal' },
}

const hasDefault = ({ default: preset, generate }: TemplateInput) => preset !== null || generate !== null

/** Field name in server errors. */
export const inputFieldName = ({ name }: Pick<TemplateInput, 'name'>) => `inputs.${name}`
