import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Rocket, Undo2 } from 'lucide-react'
import { useNavigate } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { applicationQuery } from '../../areas/applications/queries.ts'
import { isCompose } from '../../areas/applications/source-label.ts'
import { PlanSummary } from '../../areas/compose/plan-view.tsx'
import { planQuery } from '../../areas/compose/queries.ts'
import { type Deployment, useDeployWithoutReview } from '../../areas/deployments/queries.ts'
import { DeploymentDialog } from '../../areas/deployments/deployment-dialog.tsx'
import {
  isDeploymentInProgress,
  emptyLogText,
  hasCrashed,
} from '../../areas/deployments/deployment-labels.ts'
import { DeploymentLog } from '../../areas/logs/deployment-log.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { applicationPath } from '../../paths.ts'
import { Button, ButtonAnchor, ButtonLink } from '../../ui/button.tsx'
import { AddressText } from '../../lib/address.tsx'

export function DeploymentDetails({ id }: { id: string }) {
  const { open, close } = useDialog('deploymentId')
  const deploys = roleAllows(useWorkspace().role, 'applications.deploy')
  return (
    <DeploymentDialog
      id={id}
      onClose={close}
      deploys={deploys}
      renderPlan={({ plan }) =>
        plan && <PlanSummary services={plan.map(({ service, ...rest }) => ({ name: service, ...rest }))} />
      }
      renderLog={(deployment) => (
        <DeploymentLog
          id={id}
          label="Deployment log"
          droppedLines={deployment.data.dropped_lines}
          queued={deployment.status === 'queued'}
          inProgress={isDeploymentInProgress(deployment)}
          emptyText={emptyLogText(deployment)}
        />
      )}
      renderActions={(deployment) => (
        <Actions deployment={deployment} deploys={deploys} onBegun={(begun) => open(begun.id)} />
      )}
    />
  )
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
        <ButtonLink variant="primary" to={review}>
          <Rocket aria-hidden />
          Deploy again…
        </ButtonLink>
      )}
      {again && application && !isCompose(application.source.type) && (
        <Button
          variant="primary"
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
