import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Rocket, Undo2 } from 'lucide-react'
import { useNavigate, useParams } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { applicationQuery, useUpdateApplication } from '../../areas/applications/queries.ts'
import { isCompose } from '../../areas/applications/source-label.ts'
import { PlanSummary } from '../../areas/compose/plan-view.tsx'
import { planQuery } from '../../areas/compose/queries.ts'
import { type Deployment, deploymentQuery, useDeployWithoutReview } from '../../areas/deployments/queries.ts'
import { createFailureTest, findFix } from '../../areas/deployments/deployment-fix.ts'
import { LiveBanner } from '../../areas/deployments/live-banner.tsx'
import { DeploymentDialog, DeploymentView } from '../../areas/deployments/deployment-dialog.tsx'
import {
  isDeploymentInProgress,
  emptyLogText,
  hasCrashed,
} from '../../areas/deployments/deployment-labels.ts'
import { DeploymentLog } from '../../areas/logs/deployment-log.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { applicationPath, deploymentPagePath, registriesPath, serverPath } from '../../paths.ts'
import { Button, ButtonAnchor, ButtonLink } from '../../ui/button.tsx'
import { AddressText } from '../../lib/address.tsx'

/** The dialog of the URL parameter `deploymentId`. */
export function DeploymentDetails({ id }: { id: string }) {
  const { open, close } = useDialog('deploymentId')
  return <DeploymentDialog {...useView(id, open, false)} onClose={close} />
}

/** The same on a page of its own. */
export function DeploymentPage() {
  const { deploymentId: id = '' } = useParams()
  const navigate = useNavigate()
  const { data } = useQuery(deploymentQuery(id))
  const { data: application } = useQuery({
    ...applicationQuery(data?.target.id ?? ''),
    enabled: data !== undefined,
  })
  const view = useView(id, (begun) => void navigate(deploymentPagePath(data?.target.id ?? '', begun)), true)
  return (
    <section aria-labelledby="deployment" className="flex flex-1 flex-col gap-4">
      <h2 id="deployment" className="text-lg font-semibold">
        {data ? `Deployment of ${application?.name ?? data.target.name}` : 'Deployment'}
      </h2>
      <DeploymentView key={id} {...view} />
    </section>
  )
}

function useView(id: string, onBegun: (id: string) => void, tall: boolean) {
  const deploys = roleAllows(useWorkspace().role, 'applications.deploy')
  return {
    id,
    deploys,
    renderPlan: ({ plan }: Deployment) =>
      plan && <PlanSummary services={plan.map(({ service, ...rest }) => ({ name: service, ...rest }))} />,
    renderLog: (deployment: Deployment) => (
      <DeploymentLog
        id={id}
        label="Deployment log"
        droppedLines={deployment.data.dropped_lines}
        queued={deployment.status === 'queued'}
        inProgress={isDeploymentInProgress(deployment)}
        emptyText={emptyLogText(deployment)}
        isFailure={createFailureTest(deployment.errors)}
        tall={tall}
      />
    ),
    renderFix: (deployment: Deployment) =>
      deploys && deployment.status === 'failed' && <Fix deployment={deployment} onBegun={onBegun} />,
    renderSuccess: (deployment: Deployment) => <FirstSuccess deployment={deployment} />,
    renderActions: (deployment: Deployment) => (
      <Actions deployment={deployment} deploys={deploys} onBegun={(begun) => onBegun(begun.id)} />
    ),
  }
}

interface FixProps {
  deployment: Deployment
  onBegun: (id: string) => void
}

/** The fix that the errors suggest, as a button. */
function Fix({ deployment: { errors, target, server }, onBegun }: FixProps) {
  const { data: application } = useQuery(applicationQuery(target.id))
  const update = useUpdateApplication(target.id)
  const client = useQueryClient()
  const deploy = useDeployWithoutReview(target.id, () => client.fetchQuery(planQuery(target.id)))
  const fix = findFix(errors)
  if (!fix || !application || isCompose(application.source.type)) return null
  if (fix.kind === 'registry')
    return (
      <ButtonLink size="small" to={`${registriesPath}?dialog=add-registry`}>
        Add registry credentials
      </ButtonLink>
    )
  if (fix.kind === 'disk')
    return (
      <ButtonLink size="small" to={`${serverPath(server.id, 'images')}?dialog=prune`}>
        Free disk space
      </ButtonLink>
    )
  const usePort = () =>
    update.mutate(
      { port: fix.port },
      {
        onSuccess: () =>
          deploy.mutate({ rebuild: false }, { onSuccess: (begun) => begun && onBegun(begun.id) }),
      },
    )
  // Somebody has changed it since.
  if (application.port === fix.port) return null
  return (
    <Button size="small" pending={(update.isPending || deploy.isPending) && 'Deploying…'} onClick={usePort}>
      Use port {fix.port}
    </Button>
  )
}

/** The first release of an application that went live is worth a moment. */
function FirstSuccess({ deployment: { status, release, target, type } }: { deployment: Deployment }) {
  const { data: application } = useQuery(applicationQuery(target.id))
  const first = release?.number === 1 && status === 'completed' && type !== 'restart_application'
  if (!first || application?.release?.id !== release.id) return null
  return <LiveBanner name={application.name} address={application.address} />
}

interface ActionsProps {
  deployment: Deployment
  deploys: boolean
  onBegun: (deployment: Deployment) => void
}

function Actions({ deployment, deploys, onBegun }: ActionsProps) {
  const { target, release } = deployment
  const { data: application } = useQuery(applicationQuery(target.id))
  const client = useQueryClient()
  const navigate = useNavigate()
  const deploy = useDeployWithoutReview(target.id, () => client.fetchQuery(planQuery(target.id)))
  const review = `${applicationPath(target.id, 'deployments')}?dialog=deploy`
  if (isDeploymentInProgress(deployment)) return null
  // No button while loading, or when it would not do what the dialog shows.
  const again =
    deployment.status === 'failed' && ['deploy_application', 'build_application'].includes(deployment.type)
  const crashed = hasCrashed(deployment)
  // Repeating what needs a fix first would fail again.
  const variant = findFix(deployment.errors) ? 'secondary' : 'primary'
  const done = release !== null && (deployment.status === 'completed' || crashed)
  const past = done && application?.release?.id !== release.id
  const address = done && !past && !crashed && application?.address
  if (!deploys) return address ? <Visit address={address} /> : null
  return (
    <>
      {crashed && !past && application && release !== null && release.number > 1 && (
        <ButtonLink variant="primary" to={`${applicationPath(target.id, 'deployments')}?dialog=roll-back`}>
          <Undo2 aria-hidden />
          Roll back…
        </ButtonLink>
      )}
      {address && <Visit address={address} />}
      {past && !crashed && application && (
        <ButtonLink to={`${applicationPath(target.id, 'deployments')}?dialog=roll-back-${release.id}`}>
          <Undo2 aria-hidden />
          Roll back to release {release.number}…
        </ButtonLink>
      )}
      {again && application && isCompose(application.source.type) && (
        <ButtonLink variant={variant} to={review}>
          <Rocket aria-hidden />
          Deploy again…
        </ButtonLink>
      )}
      {again && application && !isCompose(application.source.type) && (
        <Button
          variant={variant}
          pending={deploy.isPending && 'Deploying…'}
          onClick={() =>
            deploy.mutate(
              { rebuild: false },
              { onSuccess: (begun) => (begun ? onBegun(begun) : void navigate(review)) },
            )
          }
        >
          <Rocket aria-hidden />
          Deploy again
        </Button>
      )}
    </>
  )
}

const Visit = ({ address }: { address: string }) => (
  <ButtonAnchor href={address} variant="primary" outside>
    <span>
      Open <AddressText>{new URL(address).host}</AddressText>
    </span>
  </ButtonAnchor>
)
