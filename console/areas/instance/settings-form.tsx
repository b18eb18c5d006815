import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { SaveButtons } from '../../lib/form/save-buttons.tsx'
import { useDraft } from '../../lib/form/use-draft.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { Input, Textarea } from '../../ui/form/input.tsx'
import { type InstanceSettings, type SettingsChange, useUpdateInstanceSettings } from './queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Field } from '../../ui/form/field.tsx'

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
  saved: string
  footer?: ReactNode
}

/** Card of text settings with one Save button. Empty fields restore the default. */
export function SettingsForm({ title, description, settings, fields, saved, footer }: SettingsFormProps) {
  const change = useUpdateInstanceSettings()
  const draft = useDraft(
    `instance ${title}`,
    Object.fromEntries(fields.map(({ name }) => [name, toText(settings[name].value)])),
  )
  const editable = fields.filter(({ name }) => !isFixed(settings[name]))
  const { form, errors, pending } = useForm(
    Object.fromEntries(editable.map(({ name }) => [name, 'optional' as const])),
    async (values) => {
      const changed = editable.filter(
        ({ name }) => (values[name] ?? '').trim() !== toText(settings[name].value).trim(),
      )
      await change.mutateAsync(
        Object.fromEntries(changed.map((field) => [field.name, toValue(field, values[field.name] ?? '')])),
      )
      draft.drop()
      toast.success(saved)
    },
  )
  return (
    <form {...form} key={draft.round} onInput={draft.onInput} onReset={draft.onReset}>
      <Card
        title={title}
        description={description}
        footer={
          editable.length > 0 && (
            <>
              {footer}
              <SaveButtons draft={draft} pending={pending} />
            </>
          )
        }
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {fields.map(({ name, label, help, kind, placeholder }) => {
            const control = {
              name,
              placeholder,
              defaultValue: draft.typed[name],
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
      </Card>
    </form>
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

/** Errors of list entries have an index: `allowed_networks.2`. */
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

/** Settings from the environment are read-only. */
function InstanceSettingField({ setting, label, help, error, children }: SettingFieldProps) {
  return (
    <Field
      label={label}
      help={isFixed(setting) ? fixedHelp(setting) : help}
      error={error}
      aside={isFixed(setting) && <Badge tone="neutral">Environment</Badge>}
    >
      {children}
    </Field>
  )
}

export const fixedHelp = ({ variable }: Setting) =>
  `Set by the environment variable ${variable}. Change it there and restart Slipway.`
