import { Tags } from 'lucide-react'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FromFile } from '../new/from-file.tsx'

export const LabelsOfFile = ({ applicationId, manages }: { applicationId: string; manages: boolean }) => (
  <Card title="Labels" description="Docker labels of its containers." flush>
    <EmptyState
      icon={Tags}
      title="Labels are set in the compose file"
      action={manages && <FromFile applicationId={applicationId} />}
    >
      Set labels for each service there. Changes apply on the next deployment.
    </EmptyState>
  </Card>
)
