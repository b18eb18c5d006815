import { Card } from '../../../ui/card.tsx'
import { Switch } from '../../../ui/form/switch.tsx'
import { type ApplicationChange, useUpdateApplication } from '../mutations.ts'
import type { ApplicationDetails } from '../queries.ts'
import { isCompose } from '../source-label.ts'

export function BehaviorCard({ application }: { application: ApplicationDetails }) {
  const update = useUpdateApplication(application.id)
  // Shows the new value while the request is in progress.
  const wanted: ApplicationChange = (update.isPending ? update.variables : undefined) ?? {}
  return (
    <Card title="Rollback and maintenance" description="Changes are saved immediately.">
      <div className="flex max-w-2xl flex-col gap-4">
        <Switch
          label="Automatic rollback"
          help="Roll back if a release crashes within 5 minutes."
          checked={wanted.auto_rollback ?? application.auto_rollback}
          onCheckedChange={(checked) => update.mutate({ auto_rollback: checked })}
        />
        <Switch
          label="Maintenance page"
          help="Visitors see a maintenance page. The application keeps running."
          checked={wanted.maintenance ?? application.maintenance}
          onCheckedChange={(checked) => update.mutate({ maintenance: checked })}
        />
        {!isCompose(application.source.type) && (
          <Switch
            label="Stop old containers first"
            help="From the next deployment on. For databases and other software that cannot share a volume. Causes a short downtime on each deployment."
            checked={wanted.stop_first ?? application.stop_first}
            onCheckedChange={(checked) => update.mutate({ stop_first: checked })}
          />
        )}
      </div>
    </Card>
  )
}
