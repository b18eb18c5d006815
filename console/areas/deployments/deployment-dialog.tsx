import { useQuery } from '@tanstack/react-query'
import { Ban, Check, ChevronRight, Circle, CircleDashed, LoaderCircle, Undo2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Deployment, deploymentQuery, useCancelDeployment } from './queries.ts'
import { DeploymentFacts } from './deployment-facts.tsx'
import { useMedia } from '../../lib/use-media.ts'
import { classNames } from '../../ui/class-names.ts'
import { stepLabel, stepsSummary, stepState } from './deployment-labels.ts'
import { DeploymentDuration } from './deployment-badge.tsx'
import { useMaskedText } from '../../lib/address.tsx'

interface DeploymentDialogProps {
  id: string
  onClose: () => void
  deploys: boolean
  renderPlan: (deployment: Deployment) => ReactNode
  renderLog: (deployment: Deployment) => ReactNode
  renderActions: (deployment: Deployment) => ReactNode
}

export function DeploymentDialog({ id, onClose, ...rest }: DeploymentDialogProps) {
  const query = useQuery(deploymentQuery(id))
  const { data: deployment } = query
  return (
    <Dialog
      open
      widest
      onOpenChange={onClose}
      title={deployment ? `Deployment of ${deployment.target.name}` : 'Deployment'}
    >
      {deployment ? (
        <DeploymentContent deployment={deployment} {...rest} />
      ) : (
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

type Step = Deployment['steps'][number]

const statusIcons: Record<Step['status'], { Icon: typeof Check; className: string }> = {
  waiting: { Icon: Circle, className: 'text-faint' },
  running: { Icon: LoaderCircle, className: 'animate-spin text-yellow' },
  completed: { Icon: Check, className: 'text-green' },
  failed: { Icon: X, className: 'text-red' },
  undone: { Icon: Undo2, className: 'text-yellow' },
  skipped: { Icon: CircleDashed, className: 'text-faint' },
}

function DeploymentSteps({ deployment }: { deployment: Deployment }) {
  const phone = useMedia('(max-width: 639px)')
  if (!phone) return <Steps deployment={deployment} />
  return (
    <details className="group text-sm">
      <summary className="flex min-h-8 cursor-pointer list-none items-center gap-1.5 font-medium">
        <ChevronRight className="size-4 shrink-0 text-muted group-open:rotate-90" aria-hidden />
        {stepsSummary(deployment)}
      </summary>
      <div className="pt-1 pl-5.5">
        <Steps deployment={deployment} />
      </div>
    </details>
  )
}

function Steps({ deployment }: { deployment: Deployment }) {
  const mask = useMaskedText()
  return (
    <ol aria-label="Steps" className="flex flex-wrap gap-x-5 gap-y-2">
      {deployment.steps.map(({ name, status, error, started_at: from, finished_at: to }) => {
        const { Icon, className } = statusIcons[status]
        return (
          <li
            key={name}
            title={mask(error ?? '')}
            {...(status === 'running' ? { 'aria-current': 'step' } : {})}
            className={classNames('flex items-center gap-1.5 text-sm', isIdle(status) && 'text-muted')}
          >
            <Icon className={classNames('size-4 shrink-0', className)} aria-hidden />
            {stepLabel(name, deployment)}
            <span className="sr-only">, {stepState(status)}</span>
            {from !== null && !isIdle(status) && (
              <span className="text-muted">
                <DeploymentDuration from={from} to={to} />
              </span>
            )}
          </li>
        )
      })}
    </ol>
  )
}

const isIdle = (status: Step['status']) => status === 'waiting' || status === 'skipped'
