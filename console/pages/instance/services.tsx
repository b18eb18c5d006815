import { useQuery } from '@tanstack/react-query'
import { AppCard } from '../../areas/integrations/app-card.tsx'
import { githubAppQuery } from '../../areas/integrations/queries.ts'
import { SetUpApp } from '../../areas/integrations/set-up-app.tsx'
import { type ThisMachine, thisMachineQuery } from '../../areas/this-machine/queries.ts'
import { ThisMachineDialog, ThisMachineOffer } from '../../areas/this-machine/this-machine-offer.tsx'
import { currentWorkspaceQuery } from '../../areas/workspaces/queries.ts'
import { Card } from '../../ui/card.tsx'

/** The GitHub App of this Slipway. It can be read inside a workspace only. */
export function GitHubAppCard() {
  const { data: workspace } = useQuery(currentWorkspaceQuery)
  const { data: app } = useQuery({ ...githubAppQuery, enabled: Boolean(workspace) })
  if (!app) return null
  if (app.from !== null) return <AppCard app={app} />
  return (
    <Card title="GitHub App" description="Builds from repositories and signs people in with GitHub.">
      <SetUpApp problem={app.problem} warning={app.warning} />
    </Card>
  )
}

/** The machine that Slipway runs on: which workspace has it as a server, or the offer to add it. */
export function ThisMachineCard() {
  const { data: workspace } = useQuery(currentWorkspaceQuery)
  const { data: machine } = useQuery(thisMachineQuery)
  if (!machine) return null
  return (
    <Card
      title="This machine"
      description="The machine that Slipway runs on. Root access to it is full control of Slipway and all its secrets."
      action={<ThisMachineOffer />}
    >
      <p>{describe(machine)}</p>
      <ThisMachineDialog workspace={workspace?.id ?? ''} />
    </Card>
  )
}

function describe({ server, offered, problem }: ThisMachine) {
  if (server) return `It is the server ${server.name} of the workspace ${server.workspace.name}.`
  if (offered) return 'It is not used as a server.'
  return problem ?? 'It cannot be used as a server.'
}
