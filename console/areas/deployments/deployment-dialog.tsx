import { useQuery } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import type { ReactNode } from 'react'
import { isMissing } from '../../lib/http/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useCancelDeployment } from './changes.ts'
import { DeploymentFacts } from './deployment-facts.tsx'
import { DeploymentSteps } from './deployment-steps.tsx'
import { type Deployment, deploymentQuery } from './queries.ts'

interface DeploymentDialogProps {
  id: string
  onClose: () => void
  /** Whether whoever looks may cancel it. */
  deploys: boolean
  /** What it does with each of several services. */
  renderPlan: (deployment: Deployment) => ReactNode
  /** What it says, as it says it. */
  renderLog: (deployment: Deployment) => ReactNode
  /** What else can be done about it, by whoever looks. */
  renderActions: (deployment: Deployment) => ReactNode
}

/** All that is to be told of a deployment, while it goes on and ever after. */
export function DeploymentDialog({ id, onClose, ...rest }: DeploymentDialogProps) {
  const { data: deployment, error, refetch } = useQuery(deploymentQuery(id))
  return (
    <Dialog
      open
      widest
      onOpenChange={onClose}
      title={deployment ? `Deployment of ${deployment.target.name}` : 'Deployment'}
    >
      {deployment && <Shown deployment={deployment} {...rest} />}
      {!deployment && !error && <Waiting />}
      {!deployment && error && !isMissing(error) && (
        <Problem title="The deployment could not be loaded" onRetry={() => void refetch()}>
          {error.message || 'Try again in a moment.'}
        </Problem>
      )}
      {!deployment && isMissing(error) && (
        <EmptyState title="There is no such deployment here">
          Its application was deleted, or it belongs to another workspace.
        </EmptyState>
      )}
    </Dialog>
  )
}

type ShownProps = Omit<DeploymentDialogProps, 'id' | 'onClose'> & { deployment: Deployment }

function Shown({ deployment, deploys, renderPlan, renderLog, renderActions }: ShownProps) {
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
          <Button pending={(cancelling || cancel.isPending) && 'Cancelling…'} onClick={() => cancel.mutate()}>
            <Ban aria-hidden />
            Cancel deployment
          </Button>
        )}
        {renderActions(deployment)}
      </DialogActions>
    </>
  )
}

function Waiting() {
  return (
    <div aria-busy="true" className="flex flex-col gap-4">
      <Skeleton className="h-5 w-64" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  )
}
