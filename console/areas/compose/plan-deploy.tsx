import { useQuery } from '@tanstack/react-query'
import { Rocket } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlanSection } from './plan-section.tsx'
import { planQuery } from './plan-query.ts'
import { canDeployWithoutPlan, planBlocker } from './plan-labels.ts'

/** Deploys exactly this revision; calls `onChanged` when the configuration has changed meanwhile. */
export type DeployRevision = (revision: string | undefined, onChanged: () => void) => void

interface PlanDeployProps {
  applicationId: string
  /** The request is in progress. */
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
        <Notice tone="yellow" title="The configuration changed">
          The configuration changed after you reviewed it, so nothing was deployed. This is the updated plan.
        </Notice>
      )}
      <PlanSection query={query} />
      {blocked !== undefined && <p className="text-right text-sm text-muted">{blocked}</p>}
      <DialogActions>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button
          variant="primary"
          // An outdated plan cannot be confirmed.
          disabled={!ready || (changed && isFetching)}
          pending={deploying && 'Deploying…'}
          onClick={() => onDeploy(plan?.revision ?? undefined, askAgain)}
        >
          <Rocket aria-hidden />
          {!plan && error && ready ? 'Deploy anyway' : 'Deploy'}
        </Button>
      </DialogActions>
    </>
  )
}
