import { roleAllows, roleAllowsInWorkspace } from '../../../contract/shared/permissions.ts'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { ServicesList } from '../../areas/compose/services-list.tsx'
import { containerColumns } from '../../areas/containers/container-columns.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'

const [name, ...others] = containerColumns(new Map())
const columns: ReturnType<typeof containerColumns> = [
  name,
  ...others.filter(({ head }) => head !== 'Image' && head !== 'Ports'),
]

export function ApplicationServicesPage({ application }: { application: ApplicationDetails }) {
  const workspace = useWorkspace()
  return (
    <ServicesList
      application={application}
      columns={columns}
      opensShells={roleAllowsInWorkspace(workspace, 'containers.shell')}
      manages={roleAllows(workspace.role, 'applications.manage')}
    />
  )
}
