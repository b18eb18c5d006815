import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatElapsed } from '../../../contract/shared/duration.ts'
import { keepCelebrated, wasCelebrated } from '../../areas/deployments/first-success.ts'
import { Rocket, Undo2 } from 'lucide-react'
import { useNavigate, useParams } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { type ApplicationDetails, applicationQuery } from '../../areas/applications/queries.ts'
import { isCompose } from '../../areas/applications/source-label.ts'
import { PlanSummary } from '../../areas/compose/plan-view.tsx'
import { type Deployment, deploymentQuery } from '../../areas/deployments/queries.ts'
import { NotifyButton } from '../../areas/deployments/notify-button.tsx'
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
import { applicationPath, deploymentPagePath } from '../../paths.ts'
import { Fixes, useDeployAgain, useFixes } from './deployment-repair.tsx'
import { Button, ButtonAnchor, ButtonLink } from '../../ui/button.tsx'
import { useMaskedText } from '../../lib/address.tsx'

/** Deployment dialog. The URL parameter `deploymentId` opens it, so that a link can lead to one deployment. */
export function DeploymentDetails({ id }: { id: string }) {
  const { open, close } = useDialog('deploymentId')
  return <DeploymentDialog {...useView(id, open, false)} onClose={close} />
}

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
      <DeploymentView
        key={id}
        {...view}
        renderHeader={(actions) => (
          <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-3">
            <h2 id="deployment" className="text-lg font-semibold">
              {data ? `Deployment of ${application?.name ?? data.target.name}` : 'Deployment'}
            </h2>
            <div className="flex flex-wrap gap-2">{actions}</div>
          </header>
        )}
      />
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
        errors={deployment.errors}
        tall={tall}
      />
    ),
    renderFix: (deployment: Deployment) => deploys && <Fixes deployment={deployment} onBegun={onBegun} />,
    renderSuccess: (deployment: Deployment) => <FirstSuccess deployment={deployment} />,
    renderActions: (deployment: Deployment) => (
      <Actions deployment={deployment} deploys={deploys} onBegun={onBegun} onPage={tall} />
    ),
  }
}

/** Celebrates the first success of an application. */
function FirstSuccess({ deployment }: { deployment: Deployment }) {
  const { status, release, target, type, finished_at: at } = deployment
  const { data: application } = useQuery(applicationQuery(target.id))
  const first = release?.first === true && status === 'completed' && type !== 'restart_application'
  if (!first || at === null || application?.release?.id !== release.id) return null
  return <Celebration application={application} deployment={deployment} />
}

const hour = 3_600_000

interface CelebrationProps {
  application: ApplicationDetails
  deployment: Deployment
}

function Celebration({ application: { id, name, address }, deployment }: CelebrationProps) {
  const { started_at: from, finished_at: to } = deployment
  const [isNew] = useState(() => Date.now() - Date.parse(to ?? '') < hour && !wasCelebrated(id))
  useEffect(() => keepCelebrated(id), [id])
  if (!isNew || from === null || to === null) return null
  return <LiveBanner name={name} address={address} took={formatElapsed(from, to)} />
}

interface ActionsProps {
  deployment: Deployment
  deploys: boolean
  onBegun: (id: string) => void
  /** Whether the primary action of the application is above. */
  onPage: boolean
}

function Actions({ deployment, deploys, onBegun, onPage }: ActionsProps) {
  const { target, release } = deployment
  const { data: application } = useQuery(applicationQuery(target.id))
  const { deploy, pending } = useDeployAgain(target.id, onBegun)
  const isToFix = useFixes(deployment).length > 0
  const review = `${applicationPath(target.id, 'deployments')}?dialog=deploy`
  if (isDeploymentInProgress(deployment)) return <NotifyButton />
  // Offer a retry only if it does what the dialog shows.
  const again =
    deployment.status === 'failed' && ['deploy_application', 'build_application'].includes(deployment.type)
  const crashed = hasCrashed(deployment)
  // A retry without the fix would fail again, so it is not the primary action.
  const variant = isToFix || onPage ? 'secondary' : 'primary'
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
        <Button variant={variant} pending={pending && 'Deploying…'} onClick={deploy}>
          <Rocket aria-hidden />
          Deploy again
        </Button>
      )}
    </>
  )
}

function Visit({ address }: { address: string }) {
  const mask = useMaskedText()
  return (
    <ButtonAnchor href={address} variant="primary" outside>
      <span className="truncate">Open {mask(new URL(address).host)}</span>
    </ButtonAnchor>
  )
}
