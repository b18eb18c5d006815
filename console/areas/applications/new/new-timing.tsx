import { Card } from '../../../ui/card.tsx'
import { AutoRollbackField } from './new-auto-rollback.tsx'
import type { PartProps } from './new-fields.tsx'
import { TimingFields } from '../settings/timing-fields.tsx'

export const NewTimingFields = ({ draft, errors }: PartProps) => (
  <Card
    title="Deployments"
    description="A service receives traffic once its health check passes or its ports accept connections."
  >
    <div className="flex flex-col gap-4">
      <TimingFields typed={draft} errors={errors} />
      <AutoRollbackField draft={draft} />
    </div>
  </Card>
)
