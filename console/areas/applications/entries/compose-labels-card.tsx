import { Tags } from 'lucide-react'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { EditComposeLink } from '../new/edit-compose-link.tsx'

export const ComposeLabelsCard = ({
  applicationId,
  manages,
}: {
  applicationId: string
  manages: boolean
}) => (
  <Card title="Labels" description="Docker labels of its containers." flush>
    <EmptyState
      icon={Tags}
      title="Labels are set in the compose file"
      action={manages && <EditComposeLink applicationId={applicationId} />}
    >
      Set labels for each service there. Changes apply on the next deployment.
    </EmptyState>
  </Card>
)
