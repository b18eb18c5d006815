import type { Permission } from '../../contract/shared/permissions.ts'
import { roleAllows } from '../../contract/shared/permissions.ts'
import { Checklist, type ChecklistStep } from '../areas/home/checklist.tsx'
import type { Home } from '../areas/home/queries.ts'
import { ThisMachineDialog, ThisMachineOffer } from '../areas/this-machine/this-machine-offer.tsx'
import { useUser } from '../areas/user/queries.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { newChannelPath, paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'

export function FirstSteps({ done }: { done: Home['checklist'] }) {
  const { id, role } = useWorkspace()
  const operates = useUser().instance_owner
  const open = steps.filter(({ needs }) => roleAllows(role, needs))
  const next = open.find(({ step }) => !done[step])
  return (
    <>
      <Checklist
        workspaceId={id}
        done={done}
        steps={open.map((step) => ({
          ...step,
          action:
            step.step === 'server' ? (
              <ServerActions operates={operates} />
            ) : (
              <StepLink {...step} isNext={step === next} />
            ),
        }))}
      />
      {operates && <ThisMachineDialog workspace={id} />}
    </>
  )
}

interface Step {
  step: ChecklistStep
  needs: Permission
  title: string
  text: string
  label: string
  to: string
  early?: boolean
}

const steps: readonly Step[] = [
  {
    step: 'server',
    needs: 'servers.manage',
    title: 'Add your first server',
    text: 'Servers run your applications. Setup takes about a minute.',
    label: 'Import server',
    to: paths.importServers,
  },
  {
    step: 'application',
    needs: 'applications.manage',
    title: 'Deploy your first application',
    text: 'From an image, a repository, a compose file or a template.',
    label: 'Deploy an application',
    to: paths.createApplication,
  },
  {
    step: 'domain',
    needs: 'applications.manage',
    title: 'Add your domain',
    text: 'Point a domain at the server and add it to an application. HTTPS is automatic.',
    label: 'Choose an application',
    to: paths.applications,
  },
  {
    step: 'team',
    needs: 'members.manage',
    title: 'Invite your team',
    text: 'Everyone gets a role that limits what they can do.',
    label: 'Invite a member',
    to: `${paths.workspace}?dialog=invite`,
    early: true,
  },
  {
    step: 'alerts',
    needs: 'notifications.manage',
    title: 'Get alerts',
    text: 'Choose where to be notified when something fails.',
    label: 'Add a channel',
    to: newChannelPath,
    early: true,
  },
]

const StepLink = ({ label, to, isNext }: Pick<Step, 'label' | 'to'> & { isNext: boolean }) => (
  <ButtonLink {...(isNext ? { variant: 'primary' } : { size: 'small' })} to={to}>
    {label}
  </ButtonLink>
)

const ServerActions = ({ operates }: { operates: boolean }) => (
  <>
    {operates && <ThisMachineOffer variant="primary" />}
    <ButtonLink variant={operates ? 'secondary' : 'primary'} to={paths.importServers}>
      Import server
    </ButtonLink>
    <ButtonLink to={paths.createServer}>Create server</ButtonLink>
  </>
)
