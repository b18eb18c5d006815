import { Checkbox, Radio } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input, PasswordInput } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { TemplateInput } from './queries.ts'
import { Card } from '../../ui/card.tsx'
import { isFormField } from './use-deploy-form.ts'

interface InputFieldProps {
  input: TemplateInput
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

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

export const inputFieldName = ({ name }: Pick<TemplateInput, 'name'>) => `inputs.${name}`

export function InputsPreview({ inputs }: { inputs: readonly TemplateInput[] }) {
  const fields = inputs.filter(isFormField)
  if (fields.length === 0) return null
  return (
    <Card title="Form preview" description="Fields that are shown when the template is deployed.">
      <fieldset disabled className="flex flex-col gap-4">
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

interface AddressFieldsProps {
  typed: Readonly<Record<string, string>>
  put: (name: string, value: string) => void
  errors: Readonly<Record<string, string>>
}

export function DomainFields({ typed, put, errors }: AddressFieldsProps) {
  const own = typed['address'] === 'own'
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 text-sm font-medium">Domain</legend>
      <Radio
        name="address"
        label="Generated URL"
        help="No DNS setup needed. You can add a domain later."
        checked={!own}
        onChange={() => put('address', 'generated')}
      />
      <Radio
        name="address"
        label="Custom domain"
        help="Add a DNS record that points to the server."
        checked={own}
        onChange={() => put('address', 'own')}
      />
      {own && (
        <div className="flex flex-col gap-3 pl-6.5">
          <Field label="Domain" error={errors['host']}>
            <Input
              name="host"
              value={typed['host'] ?? ''}
              onChange={({ target }) => put('host', target.value)}
              placeholder="app.example.com"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Checkbox
            label="HTTPS with an automatic certificate"
            checked={typed['https'] === 'true'}
            onChange={({ target }) => put('https', String(target.checked))}
          />
        </div>
      )}
    </fieldset>
  )
}
