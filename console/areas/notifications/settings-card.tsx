import { toast } from 'sonner'
import { SaveButtons } from '../../lib/form/save-buttons.tsx'
import { useDraft } from '../../lib/form/use-draft.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { type Channel, type ChannelType, useUpdateChannel } from './queries.ts'
import { fieldRules, initialValues, readSettings } from './channel-values.ts'
import { SettingFields, TypeHelp } from './setting-fields.tsx'

interface SettingsCardProps {
  channel: Channel
  /** Undefined when the types are unavailable: then only the name can be changed. */
  type: ChannelType | undefined
}

const untyped: Pick<ChannelType, 'fields'> = { fields: [] }

export function ChannelSettingsCard({ channel: { id, name, settings }, type }: SettingsCardProps) {
  const update = useUpdateChannel(id)
  const of = type ?? untyped
  const draft = useDraft(`settings of ${id}`, { name, ...initialValues(of, settings) })
  const rules = { name: 'required' as const, ...fieldRules(of, settings) }
  const { form, errors, pending } = useForm(rules, async ({ name: typed, ...values }) => {
    await update.mutateAsync({ name: typed, settings: readSettings(of, values, settings) })
    draft.drop()
    toast.success('Channel saved')
  })
  return (
    <form {...form} key={draft.round} onReset={draft.onReset}>
      <Card
        title="Name and settings"
        footer={
          <>
            Queued messages use the new settings.
            <SaveButtons draft={draft} pending={pending} />
          </>
        }
      >
        <div className="flex max-w-2xl flex-col gap-4">
          {type && <TypeHelp type={type} />}
          <Field label="Name" error={errors['name']}>
            <Input
              name="name"
              value={draft.typed.name}
              onChange={({ target }) => draft.put('name', target.value)}
              autoComplete="off"
            />
          </Field>
          {type && (
            <SettingFields
              type={type}
              known={settings}
              values={draft.typed}
              put={draft.put}
              errors={errors}
            />
          )}
        </div>
      </Card>
    </form>
  )
}
