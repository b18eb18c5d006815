import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Textarea } from '../../ui/form/textarea.tsx'
import { removeFieldName, hasStoredSecret, settingFieldName } from './channel-values.ts'
import type { Channel, ChannelField } from './queries.ts'
import { Dices } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { generateSecret } from './generate-secret.ts'

export interface SettingFieldProps {
  field: ChannelField
  values: Readonly<Record<string, string>>
  put: (name: string, value: string) => void
  errors: Readonly<Record<string, string>>
  /** Settings of an existing channel. */
  known?: Channel['settings'] | undefined
  /** The secret can be generated here. */
  generates?: boolean
}

/** A stored secret can be replaced, and an optional one removed. */
export function ChannelSettingField({
  field,
  values,
  put,
  errors,
  known,
  generates = false,
}: SettingFieldProps) {
  const kept = hasStoredSecret(field, known)
  const forgets = kept && !field.required
  const forgotten = values[removeFieldName(field)] === 'yes'
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={field.label}
        help={kept ? `Leave empty to keep the current value. ${field.help}` : field.help || undefined}
        error={errors[settingFieldName(field)]}
        optional={!field.required}
      >
        {generates ? (
          <SigningSecret {...controlOf(field, values, put)} />
        ) : (
          <Control field={field} values={values} put={put} disabled={forgotten} />
        )}
      </Field>
      {forgets && (
        <Checkbox
          name={removeFieldName(field)}
          value="yes"
          label="Remove the current value"
          checked={forgotten}
          onChange={({ target }) => put(removeFieldName(field), target.checked ? 'yes' : '')}
        />
      )}
    </div>
  )
}

type ControlProps = Pick<SettingFieldProps, 'field' | 'values' | 'put'> & { disabled: boolean }

function Control({ field, values, put, disabled }: ControlProps) {
  const { type, choices } = field
  const { onChange, ...props } = controlOf(field, values, put)
  const shared = {
    ...props,
    disabled,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
    placeholder: field.placeholder || undefined,
    spellCheck: false,
  }
  if (type === 'choice')
    return <Select name={props.name} value={props.value} options={choices} onValueChange={onChange} />
  if (type === 'secret') return <PasswordInput {...shared} autoComplete="new-password" />
  if (type === 'emails') return <Textarea {...shared} rows={2} inputMode="email" autoComplete="off" />
  return (
    <Input
      {...shared}
      mono={type === 'url'}
      {...(type === 'url' && { inputMode: 'url' })}
      autoComplete="off"
    />
  )
}

const controlOf = (
  field: ChannelField,
  values: SettingFieldProps['values'],
  put: SettingFieldProps['put'],
) => ({
  name: settingFieldName(field),
  value: values[settingFieldName(field)] ?? '',
  onChange: (value: string) => put(settingFieldName(field), value),
})

interface SigningSecretProps {
  name: string
  value: string
  onChange: (value: string) => void
}

/** The receiver needs the same secret, so it is generated here and copied before saving. */
const SigningSecret = ({ name, value, onChange }: SigningSecretProps) => (
  <div className="flex flex-wrap items-center gap-2">
    <div className="min-w-0 flex-1 basis-60">
      <PasswordInput
        mono
        name={name}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        placeholder="whsec_…"
        autoComplete="new-password"
      />
    </div>
    <Button onClick={() => onChange(generateSecret())}>
      <Dices aria-hidden />
      Generate
    </Button>
    {value !== '' && (
      <CopyButton text={value} label="Copy secret" variant="secondary">
        Copy
      </CopyButton>
    )}
  </div>
)
