import { roleAllows } from '../../../contract/shared/permissions.ts'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { isCompose } from '../../areas/applications/source-label.ts'
import { VolumesCard } from '../../areas/applications/entries/volumes-card.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'

export function ApplicationStoragePage({ application: { id, source } }: { application: ApplicationDetails }) {
  const { role } = useWorkspace()
  return (
    <VolumesCard
      applicationId={id}
      manages={roleAllows(role, 'applications.manage')}
      binds={roleAllows(role, 'servers.root')}
      fromFile={isCompose(source.type)}
    />
  )
}
