import { type Channel, type EventGroup, useUpdateChannel } from './queries.ts'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { FormCard } from '../../lib/form/form-card.tsx'

interface EventsCardProps {
  channel: Channel
  groups: readonly EventGroup[]
}

export function EventsCard({ channel: { id, events }, groups }: EventsCardProps) {
  const update = useUpdateChannel(id)
  const all = groups.flatMap((group) => group.events.map(({ event }) => event))
  const read = (chosen: string) => all.filter((event) => chosen.split(' ').includes(event))
  const inOrder = (chosen: Channel['events']) => all.filter((event) => chosen.includes(event))
  return (
    <FormCard
      title="Events"
      description="Events to send to this channel. Applies to new events."
      fields={{ chosen: 'optional' }}
      saved={{ chosen: inOrder(events).join(' ') }}
      save={async ({ chosen }) => {
        await update.mutateAsync({ events: read(chosen) })
        return undefined
      }}
    >
      {({ typed, errors, onChoose }) => (
        <>
          <input type="hidden" name="chosen" value={typed.chosen} />
          <EventsFields
            groups={groups}
            chosen={read(typed.chosen)}
            onChange={(next) => onChoose('chosen', inOrder(next).join(' '))}
            error={errors['events']}
          />
        </>
      )}
    </FormCard>
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
                onChange(
                  target.checked ? [...chosen, event] : chosen.filter((selected) => selected !== event),
                )
              }
            />
          ))}
        </fieldset>
      ))}
    </div>
  </div>
)
