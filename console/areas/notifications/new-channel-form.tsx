import { Card } from '../../ui/card.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { ArrowLeft, Inbox } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import {
  type Channel,
  type ChannelType,
  channelTypesQuery,
  type EventGroup,
  useCreateChannel,
} from './queries.ts'
import { fieldRules, initialValues, readSettings } from './channel-values.ts'
import { EventsFields } from './events-card.tsx'
import { SettingFields, TypeHelp } from './setting-fields.tsx'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TypeIcon } from './channel-facts.tsx'

interface NewChannelFormProps {
  type: ChannelType
  groups: readonly EventGroup[]
  onBack: () => void
  onMade: (id: string) => void
}

const defaultEvents: Channel['events'] = ['alert', 'channel_paused']

export function NewChannelForm({ type, groups, onBack, onMade }: NewChannelFormProps) {
  const create = useCreateChannel()
  const [values, setValues] = useState(() => initialValues(type))
  const [events, setEvents] = useState(defaultEvents)
  const rules = { name: 'optional' as const, ...fieldRules(type) }
  const { form, errors, pending } = useForm(rules, async ({ name, ...typed }) => {
    const settings = readSettings(type, typed)
    const channel = await create.mutateAsync({ name: name || type.name, type: type.type, settings, events })
    toast.success('Channel added. Send a test message to check the channel.')
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
      <section
        aria-labelledby="notification-events"
        className="flex flex-col gap-3 border-t border-line pt-4"
      >
        <h3 id="notification-events" className="font-medium">
          Events
        </h3>
        <EventsFields groups={groups} chosen={events} onChange={setEvents} error={errors['events']} />
      </section>
      <DialogActions>
        <Button variant="ghost" onClick={onBack} className="sm:mr-auto">
          <ArrowLeft aria-hidden />
          Change type
        </Button>
        <DialogClose>Cancel</DialogClose>
        <Button type="submit" variant="primary" pending={pending && 'Adding…'}>
          Add channel
        </Button>
      </DialogActions>
    </form>
  )
}

/** Lists the channel types. The list is empty if they could not be loaded. */
export function TypesCard({ manages }: { manages: boolean }) {
  const { data } = useQuery(channelTypesQuery)
  const { open } = useDialog()
  if (!data || data.types.length === 0) return null
  return (
    <Card title="Channel types">
      <TypeList {...(manages && { onPick: (type) => open(`new-channel-${type}`) })} />
    </Card>
  )
}

export function TypeList({ onPick }: { onPick?: (type: string) => void }) {
  const { data, isFetching, refetch } = useQuery(channelTypesQuery)
  if (!data && isFetching) return <Skeleton className="h-64 w-full" />
  const { types } = data ?? { types: [] }
  return (
    <>
      <ul aria-label="Channel types" className="grid gap-3 sm:grid-cols-2">
        {types.map((type) => (
          <Type key={type.type} type={type} onPick={onPick && (() => onPick(type.type))} />
        ))}
      </ul>
      {types.length === 0 && (
        <EmptyState
          icon={Inbox}
          title="No channel types available"
          action={<Button onClick={() => void refetch()}>Reload</Button>}
        />
      )}
    </>
  )
}

function Type({ type, onPick }: { type: ChannelType; onPick: (() => void) | undefined }) {
  const words = (
    <>
      <TypeIcon type={type.type} className="mt-0.5 size-4 shrink-0 text-muted" />
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="font-medium">{type.name}</span>
        <span className="text-sm text-muted">
          {type.available ? type.description : type.unavailable_reason}
        </span>
      </span>
    </>
  )
  return (
    <li className="flex">
      {type.available && onPick ? (
        <button
          type="button"
          onClick={onPick}
          className={`${cardClasses} bg-raised hover:border-edge hover:bg-hover active:bg-pressed`}
        >
          {words}
        </button>
      ) : (
        <div className={`${cardClasses} bg-subtle`}>{words}</div>
      )}
    </li>
  )
}

const cardClasses = 'flex w-full gap-3 rounded-lg border border-line p-3 text-left'
