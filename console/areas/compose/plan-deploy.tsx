import { useQuery } from '@tanstack/react-query'
import { Rocket } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlanSection } from './plan-view.tsx'
import { planQuery } from './queries.ts'
import { canDeployWithoutPlan, planBlocker } from './plan-labels.ts'

/** Deploys exactly this revision, or calls `onChanged` if the configuration has changed meanwhile. */
export type DeployRevision = (revision: string | undefined, onChanged: () => void) => void

interface PlanDeployProps {
  applicationId: string
  deploying: boolean
  onDeploy: DeployRevision
}

export function PlanDeploy({ applicationId, deploying, onDeploy }: PlanDeployProps) {
  const query = useQuery(planQuery(applicationId))
  const [changed, setChanged] = useState(false)
  const { data: plan, error, isFetching, refetch } = query
  const blocked = plan && planBlocker(plan)
  const ready = plan ? blocked === undefined : error !== null && canDeployWithoutPlan(error)
  const askAgain = () => {
    setChanged(true)
    void refetch()
  }
  return (
    <>
      {changed && (
        <Notice tone="yellow" title="Configuration changed">
          Nothing was deployed because the configuration changed after your review. This is the updated plan.
        </Notice>
      )}
      <PlanSection query={query} />
      {blocked !== undefined && <p className="text-right text-sm text-muted">{blocked}</p>}
      <DialogFooter
        // Users must not confirm an outdated plan.
        disabled={!ready || (changed && isFetching)}
        pending={deploying && 'Deploying…'}
        onClick={() => onDeploy(plan?.revision ?? undefined, askAgain)}
      >
        <Rocket aria-hidden />
        {!plan && error && ready ? 'Deploy anyway' : 'Deploy'}
      </DialogFooter>
    </>
  )
}

interface DeployDialogProps {
  application: { id: string; name: string }
  deploying: boolean
  onDeploy: DeployRevision
  onClose: () => void
  warning?: ReactNode
}

/** Shows the plan per service and the host access to approve before the deployment. */
export const DeployDialog = ({ application, deploying, onDeploy, onClose, warning }: DeployDialogProps) => (
  <Dialog
    open
    wide
    onOpenChange={onClose}
    title={`Deploy ${application.name}`}
    description="Review the changes before you deploy."
  >
    {warning}
    <PlanDeploy applicationId={application.id} deploying={deploying} onDeploy={onDeploy} />
  </Dialog>
)

interface PlanBackProps {
  applicationId: string
  releaseId: string
  children: (barred?: string) => ReactNode
}

export function RollbackPlan({ applicationId, releaseId, children }: PlanBackProps) {
  const query = useQuery(planQuery(applicationId, releaseId))
  return (
    <>
      <PlanSection query={query} />
      {children(query.data && planBlocker(query.data))}
    </>
  )
}
