import { may } from '../../contract/permissions.ts'
import { EnvironmentCard } from '../areas/applications/environment-card.tsx'
import { EnvironmentText } from '../areas/applications/environment-text.tsx'
import type { ApplicationDetails } from '../areas/applications/queries.ts'
import { isCompose } from '../areas/applications/source-label.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { useDialog } from '../lib/use-dialog.ts'

const asText = 'text'

export function ApplicationEnvironmentPage({ application }: { application: ApplicationDetails }) {
  const { id, source } = application
  const { role } = useWorkspace()
  const { dialog, open, close } = useDialog()
  const manages = may(role, 'applications.manage')
  if (manages && dialog === asText) return <EnvironmentText applicationId={id} onClose={close} />
  return (
    <EnvironmentCard
      applicationId={id}
      compose={isCompose(source.type)}
      manages={manages}
      onEditText={() => open(asText)}
    />
  )
}
