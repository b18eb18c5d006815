import { Card } from '../../../ui/card.tsx'
import { AutoRollback } from './new-auto-rollback.tsx'
import type { PartProps } from './new-fields.tsx'
import { TimingFields } from '../settings/timing-fields.tsx'

/** What remains to be said of a compose file: all else stands in it. */
export const Timing = ({ draft, errors }: PartProps) => (
  <Card
    title="Deployments"
    description="A service takes traffic once its own health check passes, or its ports answer."
  >
    <div className="flex flex-col gap-4">
      <TimingFields typed={draft} errors={errors} />
      <AutoRollback draft={draft} />
    </div>
  </Card>
)
