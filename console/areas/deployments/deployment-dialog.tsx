import { useQuery } from '@tanstack/react-query'
import { Ban, Maximize2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Deployment, deploymentQuery, useCancelDeployment } from './queries.ts'
import { DeploymentDetailsList, DeploymentFacts } from './deployment-facts.tsx'
import { DeploymentSteps } from './deployment-steps.tsx'
import { deploymentPagePath } from '../../paths.ts'

interface DeploymentViewProps {
  id: string
  deploys: boolean
  renderPlan: (deployment: Deployment) => ReactNode
  renderLog: (deployment: Deployment) => ReactNode
  renderFix: (deployment: Deployment) => ReactNode
  renderSuccess: (deployment: Deployment) => ReactNode
  renderActions: (deployment: Deployment) => ReactNode
  /** Header with the actions, which a dialog shows below instead. */
  renderHeader?: (actions: ReactNode) => ReactNode
}

export function DeploymentDialog({ onClose, ...view }: DeploymentViewProps & { onClose: () => void }) {
  const { data: deployment } = useQuery(deploymentQuery(view.id))
  return (
    <Dialog
      open
      widest
      onOpenChange={onClose}
      title={deployment ? `Deployment of ${deployment.target.name}` : 'Deployment'}
    >
      <DeploymentView
        {...view}
        renderActions={(shown) => (
          <>
            <ButtonLink to={deploymentPagePath(shown.target.id, shown.id)} variant="ghost">
              <Maximize2 aria-hidden />
              Open page
            </ButtonLink>
            {view.renderActions(shown)}
          </>
        )}
      />
    </Dialog>
  )
}

/** The deployment dialog and the deployment page share this view, so that both show the same. */
export function DeploymentView({ id, ...rest }: DeploymentViewProps) {
  const query = useQuery(deploymentQuery(id))
  if (query.data) return <DeploymentContent deployment={query.data} {...rest} />
  return (
    <>
      {rest.renderHeader?.(null)}
      <QueryFallback
        query={query}
        failed="Could not load deployment"
        skeleton={<DeploymentSkeleton />}
        missing={
          <EmptyState title="Deployment not found">
            The application was deleted, or the deployment belongs to another workspace.
          </EmptyState>
        }
      />
    </>
  )
}

type DeploymentContentProps = Omit<DeploymentViewProps, 'id'> & { deployment: Deployment }

function DeploymentContent({ deployment, deploys, ...render }: DeploymentContentProps) {
  const { id, cancellable, cancelling } = deployment
  const cancel = useCancelDeployment(id)
  const actions = (
    <>
      {deploys && (cancellable || cancelling) && (
        <Button pending={(cancelling || cancel.isPending) && 'Canceling…'} onClick={() => cancel.mutate()}>
          <Ban aria-hidden />
          Cancel deployment
        </Button>
      )}
      {render.renderActions(deployment)}
    </>
  )
  return (
    <>
      {render.renderHeader?.(actions)}
      {render.renderSuccess(deployment)}
      <DeploymentFacts deployment={deployment} fix={render.renderFix(deployment)} />
      {deployment.steps.length > 0 && <DeploymentSteps deployment={deployment} />}
      <DeploymentDetailsList deployment={deployment} />
      {render.renderPlan(deployment)}
      {render.renderLog(deployment)}
      {!render.renderHeader && <DialogActions>{actions}</DialogActions>}
    </>
  )
}

function DeploymentSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-4">
      <Skeleton className="h-5 w-64" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  )
}
