import { Card } from '../../../ui/card.tsx'
import { Switch } from '../../../ui/form/switch.tsx'
import { type ApplicationChange, useUpdateApplication } from '../changes.ts'
import type { ApplicationDetails } from '../queries.ts'
import { isCompose } from '../source-label.ts'

/** What is switched, and takes effect at once. */
export function BehaviourCard({ application }: { application: ApplicationDetails }) {
  const update = useUpdateApplication(application.id)
  // As it was pressed, while it is on its way.
  const wanted: ApplicationChange = (update.isPending ? update.variables : undefined) ?? {}
  return (
    <Card title="Rollback and maintenance" description="Each switch is saved at once.">
      <div className="flex max-w-2xl flex-col gap-4">
        <Switch
          label="Roll back by itself"
          help="When a new release dies within 5 minutes of its deployment, the one before takes over again."
          checked={wanted.auto_rollback ?? application.auto_rollback}
          onCheckedChange={(checked) => update.mutate({ auto_rollback: checked })}
        />
        <Switch
          label="Maintenance page"
          help="Visitors of its addresses see a page that says so, instead of the application, which goes on running."
          checked={wanted.maintenance ?? application.maintenance}
          onCheckedChange={(checked) => update.mutate({ maintenance: checked })}
        />
        {!isCompose(application.source.type) && (
          <Switch
            label="Stop the old containers first"
            help="From the next deployment on. For databases and the like, of which two must never write to the same volume. There is a gap until the new ones are ready."
            checked={wanted.stop_first ?? application.stop_first}
            onCheckedChange={(checked) => update.mutate({ stop_first: checked })}
          />
        )}
      </div>
    </Card>
  )
}
