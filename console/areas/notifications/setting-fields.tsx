import { useState } from 'react'
import type { Channel, ChannelField, ChannelType } from './queries.ts'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input, PasswordInput, Textarea } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { generateSecret, hasStoredSecret, removeFieldName, settingFieldName } from './channel-values.ts'
import { Dices } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ExternalTextLink } from '../../ui/text-link.tsx'

interface SettingFieldsProps extends Pick<SettingFieldProps, 'values' | 'put' | 'errors'> {
  type: ChannelType
  known?: Channel['settings']
}

export const SettingFields = ({ type, known, ...rest }: SettingFieldsProps) =>
  type.fields.map((field) => (
    <ChannelSettingField
      key={field.name}
      field={field}
      known={known}
      generates={type.type === 'webhook' && field.name === 'secret'}
      {...rest}
    />
  ))

interface SettingFieldProps {
  field: ChannelField
  values: Readonly<Record<string, string>>
  put: (name: string, value: string) => void
  errors: Readonly<Record<string, string>>
  known?: Channel['settings'] | undefined
  generates?: boolean
}

/** Field of a setting. A stored secret can be replaced, and an optional one removed. */
function ChannelSettingField({ field, values, put, errors, known, generates = false }: SettingFieldProps) {
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

/** Field for a signing secret. The receiver needs the same secret, so it is generated here and copied before saving. */
function SigningSecret({ name, value, onChange }: SigningSecretProps) {
  const [generated, setGenerated] = useState('')
  const isNew = value !== '' && value === generated
  const generate = () => {
    const secret = generateSecret()
    setGenerated(secret)
    onChange(secret)
  }
  const Secret = isNew ? Input : PasswordInput
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1 basis-60">
        <Secret
          mono
          name={name}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          placeholder="whsec_…"
          autoComplete="new-password"
        />
      </div>
      <Button onClick={generate}>
        <Dices aria-hidden />
        Generate
      </Button>
      {value !== '' && (
        <CopyButton text={value} label="Copy secret" variant="secondary">
          Copy
        </CopyButton>
      )}
      {isNew && <p className="basis-full text-sm text-muted">Copy the secret now. It is shown only once.</p>}
    </div>
  )
}

export const TypeHelp = ({ type: { help, link } }: { type: ChannelType }) => (
  <div className="flex flex-col items-start gap-1 rounded-md border border-line bg-subtle px-3 py-2 text-sm wrap-anywhere">
    {/* The line breaks separate the steps. */}
    <p className="whitespace-pre-line">{help}</p>
    {link !== null && (
      <ExternalTextLink href={link}>{`Documentation at ${new URL(link).hostname}`}</ExternalTextLink>
    )}
  </div>
)
