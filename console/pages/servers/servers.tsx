import { Plus, Server as ServerIcon } from 'lucide-react'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { ImportCommand } from '../../areas/imports/import-command.tsx'
import { useProjectFilter } from '../../areas/projects/project-choice.tsx'
import { serversQuery } from '../../areas/servers/queries.ts'
import { serverComparison } from '../../areas/servers/server-comparison.tsx'
import { ThisMachineDialog, ThisMachineOffer } from '../../areas/this-machine/this-machine-offer.tsx'
import { useUser } from '../../areas/user/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { paths, serverPath } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { ListPage } from '../list-page.tsx'

export function ServersPage() {
  const workspace = useWorkspace()
  const manages = roleAllows(workspace.role, 'servers.manage')
  const operates = useUser().instance_owner
  const project = useProjectFilter()
  return (
    <>
      <ListPage
        title="Servers"
        things="servers"
        icon={ServerIcon}
        action={manages && <Ways operates={operates} />}
        empty={{
          title: 'No servers yet',
          text: 'Servers run your applications. Connect one you own or create one in the cloud.',
          action: manages ? <FirstSteps operates={operates} /> : 'Ask a workspace admin to add one.',
        }}
        layout={{ columns: serverComparison, href: ({ id }) => serverPath(id) }}
        filter={project}
        query={(q) => serversQuery(q, project.value)}
      />
      {operates && <ThisMachineDialog workspace={workspace.id} />}
    </>
  )
}

const Ways = ({ operates }: { operates: boolean }) => (
  <>
    {operates && <ThisMachineOffer />}
    <ButtonLink to={paths.importServers}>Import server</ButtonLink>
    <ButtonLink variant="primary" to={paths.createServer}>
      <Plus aria-hidden />
      Create server
    </ButtonLink>
  </>
)

const FirstSteps = ({ operates }: { operates: boolean }) => (
  <div className="flex w-full max-w-xl flex-col items-center gap-5">
    <div className="flex flex-wrap justify-center gap-2">
      {operates && <ThisMachineOffer />}
      <ButtonLink variant="primary" to={paths.createServer}>
        <Plus aria-hidden />
        Create server
      </ButtonLink>
    </div>
    <div className="flex w-full flex-col gap-3 text-left">
      <p className="text-center text-sm text-muted">Or run this command as root on an existing server:</p>
      <ImportCommand folded />
      <p className="text-center text-sm text-muted">
        <TextLink to={paths.importServers}>More ways to import</TextLink>
      </p>
    </div>
  </div>
)
