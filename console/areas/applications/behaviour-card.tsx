import { Card } from '../../ui/card.tsx'
import { Switch } from '../../ui/switch.tsx'
import { type ApplicationChange, useUpdateApplication } from './changes.ts'
import type { ApplicationDetails } from './queries.ts'

/** What is switched, and takes effect at once. */
export function BehaviourCard({ application }: { application: ApplicationDetails }) {
  const update = useUpdateApplication(application.id)
  // As it was pressed, while it is on its way.
  const wanted: ApplicationChange = (update.isPending ? update.variables : undefined) ?? {}
  return (
    <Card title="Rollback and maintenance" description="These take effect at once.">
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
      </div>
    </Card>
  )
}
