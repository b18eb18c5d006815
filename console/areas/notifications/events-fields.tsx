import { Checkbox } from '../../ui/form/checkbox.tsx'
import type { Channel, EventGroup } from './queries.ts'

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
