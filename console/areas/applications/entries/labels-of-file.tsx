import { Tags } from 'lucide-react'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FromFile } from '../new/from-file.tsx'

/** A compose file has labels of its own, for each service. */
export const LabelsOfFile = ({ applicationId, manages }: { applicationId: string; manages: boolean }) => (
  <Card title="Labels" description="Docker notes them on its containers." flush>
    <EmptyState
      icon={Tags}
      title="Labels stand in the compose file"
      action={manages && <FromFile applicationId={applicationId} />}
    >
      Each service names its own there, under labels. A change takes effect with the next deployment.
    </EmptyState>
  </Card>
)
