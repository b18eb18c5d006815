import { useQuery } from '@tanstack/react-query'
import { Rocket } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { AskedPlan } from './plan-asked.tsx'
import { planQuery } from './plan-query.ts'
import { mayGoOn, whyNot } from './plan-words.ts'

interface PlanDeployProps {
  applicationId: string
  /** Pressed a moment ago. */
  deploying: boolean
  /** Without it one may not. */
  onDeploy: (() => void) | undefined
}

/** What a deployment would do, and the button that lets it; at the foot of a dialog. */
export function PlanDeploy({ applicationId, deploying, onDeploy }: PlanDeployProps) {
  const query = useQuery(planQuery(applicationId))
  const { data: plan, error } = query
  const blocked = plan && whyNot(plan)
  const ready = plan ? blocked === undefined : error !== null && mayGoOn(error)
  return (
    <>
      <AskedPlan query={query} />
      {onDeploy && (
        <>
          {blocked !== undefined && <p className="text-right text-sm text-muted">{blocked}</p>}
          <DialogActions>
            <DialogClose asChild>
              <Button>Cancel</Button>
            </DialogClose>
            <Button
              variant="primary"
              disabled={!ready}
              pending={deploying && 'Deploying…'}
              onClick={onDeploy}
            >
              <Rocket aria-hidden />
              {!plan && error && ready ? 'Deploy anyway' : 'Deploy'}
            </Button>
          </DialogActions>
        </>
      )}
    </>
  )
}
