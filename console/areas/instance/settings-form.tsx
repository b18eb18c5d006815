import type { ReactNode } from 'react'
import { Input, Textarea } from '../../ui/form/input.tsx'
import { type InstanceSettings, type SettingsChange, useUpdateInstanceSettings } from './queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Field } from '../../ui/form/field.tsx'
import { FormCard } from '../../lib/form/form-card.tsx'

type Name = keyof InstanceSettings

interface TextSetting {
  name: Name
  label: string
  help: string
  kind?: 'text' | 'number' | 'lines'
  placeholder?: string
}

interface SettingsFormProps {
  title: string
  description: string
  settings: InstanceSettings
  fields: readonly TextSetting[]
  action?: ReactNode
}

/** Card with text settings. An empty field restores the default. */
export function SettingsForm({ title, description, settings, fields, action }: SettingsFormProps) {
  const change = useUpdateInstanceSettings()
  const editable = fields.filter(({ name }) => !isFixed(settings[name]))
  const saveChanged = async (values: Partial<Record<string, string>>) => {
    const changed = editable.filter(
      ({ name }) => (values[name] ?? '').trim() !== toText(settings[name].value).trim(),
    )
    await change.mutateAsync(
      Object.fromEntries(changed.map((field) => [field.name, toValue(field, values[field.name] ?? '')])),
    )
    return undefined
  }
  return (
    <FormCard
      title={title}
      description={description}
      action={action}
      fields={Object.fromEntries(editable.map(({ name }) => [name, 'optional' as const]))}
      saved={Object.fromEntries(fields.map(({ name }) => [name, toText(settings[name].value)]))}
      save={saveChanged}
    >
      {({ typed, errors }) => (
        <div className="grid gap-4 sm:grid-cols-2">
          {fields.map(({ name, label, help, kind, placeholder }) => {
            const control = {
              name,
              placeholder,
              defaultValue: typed[name],
              disabled: isFixed(settings[name]),
              autoComplete: 'off',
              spellCheck: false,
            }
            return (
              <div key={name} className={kind === 'lines' ? 'sm:col-span-2' : undefined}>
                <InstanceSettingField
                  setting={settings[name]}
                  label={label}
                  help={help}
                  error={errorOf(errors, name)}
                >
                  {kind === 'lines' ? (
                    <Textarea mono rows={4} {...control} />
                  ) : (
                    <Input {...control} inputMode={kind === 'number' ? 'numeric' : undefined} />
                  )}
                </InstanceSettingField>
              </div>
            )
          })}
        </div>
      )}
    </FormCard>
  )
}

const toText = (value: InstanceSettings[Name]['value']) =>
  Array.isArray(value) ? value.join('\n') : String(value ?? '')

function toValue({ kind }: TextSetting, text: string): SettingsChange[Name] {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (kind === 'number') return Number(trimmed)
  return kind === 'lines' ? trimmed.split(/[\s,]+/) : trimmed
}

/** Returns the error of a setting. The error of a list entry carries an index, such as `allowed_networks.2`. */
const errorOf = (errors: Record<string, string>, name: string) =>
  errors[name] ?? Object.entries(errors).find(([field]) => field.startsWith(`${name}.`))?.[1]

type Setting = InstanceSettings[keyof InstanceSettings]

export const isFixed = ({ source }: Setting) => source === 'environment'

interface SettingFieldProps {
  setting: Setting
  label: string
  help: string
  error: string | undefined
  children: ReactNode
}

/** Field of a setting. Settings from the environment are read-only. */
const InstanceSettingField = ({ setting, label, help, error, children }: SettingFieldProps) => (
  <Field
    label={label}
    help={isFixed(setting) ? fixedHelp(setting) : help}
    error={error}
    aside={isFixed(setting) && <Badge tone="neutral">Environment</Badge>}
  >
    {children}
  </Field>
)

export const fixedHelp = ({ variable }: Setting) =>
  `Set by the environment variable ${variable}. Change the variable and restart Slipway.`
