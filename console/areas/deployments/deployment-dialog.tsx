import { useQuery } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import type { ReactNode } from 'react'
import { isNotFound } from '../../lib/http/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useCancelDeployment } from './mutations.ts'
import { DeploymentFacts } from './deployment-facts.tsx'
import { DeploymentSteps } from './deployment-steps.tsx'
import { type Deployment, deploymentQuery } from './queries.ts'

interface DeploymentDialogProps {
  id: string
  onClose: () => void
  /** Whether the user may cancel it. */
  deploys: boolean
  renderPlan: (deployment: Deployment) => ReactNode
  renderLog: (deployment: Deployment) => ReactNode
  renderActions: (deployment: Deployment) => ReactNode
}

/** Shows the status, steps, plan and log of a deployment, live while it runs. */
export function DeploymentDialog({ id, onClose, ...rest }: DeploymentDialogProps) {
  const { data: deployment, error, refetch } = useQuery(deploymentQuery(id))
  return (
    <Dialog
      open
      widest
      onOpenChange={onClose}
      title={deployment ? `Deployment of ${deployment.target.name}` : 'Deployment'}
    >
      {deployment && <DeploymentContent deployment={deployment} {...rest} />}
      {!deployment && !error && <DeploymentSkeleton />}
      {!deployment && error && !isNotFound(error) && (
        <Problem title="Could not load the deployment" onRetry={() => void refetch()}>
          {error.message || 'The server did not respond.'}
        </Problem>
      )}
      {!deployment && isNotFound(error) && (
        <EmptyState title="Deployment not found">
          The application was deleted, or the deployment belongs to another workspace.
        </EmptyState>
      )}
    </Dialog>
  )
}

type DeploymentContentProps = Omit<DeploymentDialogProps, 'id' | 'onClose'> & { deployment: Deployment }

function DeploymentContent({
  deployment,
  deploys,
  renderPlan,
  renderLog,
  renderActions,
}: DeploymentContentProps) {
  const { id, cancellable, cancelling } = deployment
  const cancel = useCancelDeployment(id)
  return (
    <>
      <DeploymentFacts deployment={deployment} />
      {deployment.steps.length > 0 && <DeploymentSteps deployment={deployment} />}
      {renderPlan(deployment)}
      {renderLog(deployment)}
      <DialogActions>
        {deploys && (cancellable || cancelling) && (
          <Button pending={(cancelling || cancel.isPending) && 'Canceling…'} onClick={() => cancel.mutate()}>
            <Ban aria-hidden />
            Cancel deployment
          </Button>
        )}
        {renderActions(deployment)}
      </DialogActions>
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
