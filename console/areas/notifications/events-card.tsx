import { toast } from 'sonner'
import { SaveButtons } from '../../lib/form/save-buttons.tsx'
import { useDraft } from '../../lib/form/use-draft.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { type Channel, type EventGroup, useUpdateChannel } from './queries.ts'
import { Checkbox } from '../../ui/form/checkbox.tsx'

interface EventsCardProps {
  channel: Channel
  groups: readonly EventGroup[]
}

export function EventsCard({ channel: { id, events }, groups }: EventsCardProps) {
  const update = useUpdateChannel(id)
  const all = groups.flatMap((group) => group.events.map(({ event }) => event))
  const inOrder = (chosen: Channel['events']) => all.filter((event) => chosen.includes(event))
  const draft = useDraft(`events of ${id}`, { chosen: inOrder(events).join(' ') })
  const typed = draft.typed.chosen.split(' ')
  const chosen = all.filter((event) => typed.includes(event))
  const { form, errors, pending } = useForm({}, async () => {
    await update.mutateAsync({ events: chosen })
    draft.drop()
    toast.success('Channel saved')
  })
  return (
    <form {...form} onReset={draft.onReset}>
      <Card
        title="Events"
        description="Limit the alerts of this channel further in the settings of each alert."
        footer={
          <>
            Applies to new events.
            <SaveButtons draft={draft} pending={pending} />
          </>
        }
      >
        <EventsFields
          groups={groups}
          chosen={chosen}
          onChange={(next) => draft.put('chosen', inOrder(next).join(' '))}
          error={errors['events']}
        />
      </Card>
    </form>
  )
}

type Notice = Channel['events'][number]

interface EventsFieldsProps {
  groups: readonly EventGroup[]
  chosen: readonly Notice[]
  onChange: (events: Notice[]) => void
  error?: string | undefined
}

export const EventsFields = ({ groups, chosen, onChange, error }: EventsFieldsProps) => (
  <div className="flex flex-col gap-4">
    {error && <p className="text-sm text-red-ink">{error}</p>}
    <div className="gap-x-6 sm:columns-2">
      {groups.map(({ group, label, events }) => (
        <fieldset key={group} className="mb-5 flex last:mb-0 min-w-0 break-inside-avoid flex-col gap-2">
          <legend className="mb-2 text-sm font-medium text-muted">{label}</legend>
          {events.map(({ event, label: eventLabel }) => (
            <Checkbox
              key={event}
              name="events"
              value={event}
              label={<span className="font-normal">{eventLabel}</span>}
              checked={chosen.includes(event)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, event] : chosen.filter((one) => one !== event))
              }
            />
          ))}
        </fieldset>
      ))}
    </div>
  </div>
)
