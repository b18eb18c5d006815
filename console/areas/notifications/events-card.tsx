import { toast } from 'sonner'
import { SaveButtons } from '../../lib/form/save-buttons.tsx'
import { useDraft } from '../../lib/form/use-draft.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { useUpdateChannel } from './mutations.ts'
import { EventsFields } from './events-fields.tsx'
import type { Channel, EventGroup } from './queries.ts'

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
