import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { type Channel, type ChannelType, useUpdateChannel } from './queries.ts'
import { fieldRules, initialValues, readSettings } from './channel-values.ts'
import { SettingFields, TypeHelp } from './setting-fields.tsx'
import { FormCard } from '../../lib/form/form-card.tsx'

interface SettingsCardProps {
  channel: Channel
  /** Channel type; undefined if the types could not be loaded, so that only the name can change. */
  type: ChannelType | undefined
}

const untyped: Pick<ChannelType, 'fields'> = { fields: [] }

export function ChannelSettingsCard({ channel: { id, name, settings }, type }: SettingsCardProps) {
  const update = useUpdateChannel(id)
  const { fields } = type ?? untyped
  return (
    <FormCard
      title="Name and settings"
      description="Queued messages use the new settings."
      fields={{ name: 'required' as const, ...fieldRules({ fields }, settings) }}
      saved={{ name, ...initialValues({ fields }, settings) }}
      save={async ({ name: typedName, ...values }) => {
        const change = { name: typedName, settings: readSettings({ fields }, values, settings) }
        await update.mutateAsync(change)
        return undefined
      }}
    >
      {({ typed, errors, onChoose }) => (
        <div className="flex flex-col gap-4">
          {type && <TypeHelp type={type} />}
          <Field label="Name" error={errors['name']}>
            <Input
              name="name"
              value={typed.name}
              onChange={({ target }) => onChoose('name', target.value)}
              autoComplete="off"
            />
          </Field>
          {type && <SettingFields {...{ type, errors }} known={settings} values={typed} put={onChoose} />}
        </div>
      )}
    </FormCard>
  )
}
