import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useCreateChannel } from './mutations.ts'
import { fieldRules, initialValues, readSettings } from './channel-values.ts'
import { EventsFields } from './events-fields.tsx'
import type { Channel, ChannelType, EventGroup } from './queries.ts'
import { SettingFields } from './setting-fields.tsx'
import { TypeHelp } from './type-help.tsx'

interface NewChannelFormProps {
  type: ChannelType
  groups: readonly EventGroup[]
  onBack: () => void
  onMade: (id: string) => void
}

/** Default events. */
const defaultEvents: Channel['events'] = ['alert', 'channel_paused']

export function NewChannelForm({ type, groups, onBack, onMade }: NewChannelFormProps) {
  const create = useCreateChannel()
  const [values, setValues] = useState(() => initialValues(type))
  const [events, setEvents] = useState(defaultEvents)
  const rules = { name: 'optional' as const, ...fieldRules(type) }
  const { form, errors, pending } = useForm(rules, async ({ name, ...typed }) => {
    const settings = readSettings(type, typed)
    const channel = await create.mutateAsync({ name: name || type.name, type: type.type, settings, events })
    toast.success('Channel added. Send a test message?')
    onMade(channel.id)
  })
  return (
    <form {...form} className="flex flex-col gap-4">
      <TypeHelp type={type} />
      <Field label="Name" optional error={errors['name']}>
        <Input name="name" placeholder={type.name} autoComplete="off" />
      </Field>
      <SettingFields
        type={type}
        values={values}
        put={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
        errors={errors}
      />
      <section aria-labelledby="told-of" className="flex flex-col gap-3 border-t border-line pt-4">
        <h3 id="told-of" className="font-medium">
          Events
        </h3>
        <EventsFields groups={groups} chosen={events} onChange={setEvents} error={errors['events']} />
      </section>
      <DialogActions>
        <Button variant="ghost" onClick={onBack} className="sm:mr-auto">
          <ArrowLeft aria-hidden />
          Change type
        </Button>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={pending && 'Adding…'}>
          Add channel
        </Button>
      </DialogActions>
    </form>
  )
}
