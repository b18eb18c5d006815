import { Dialog } from '../../ui/dialog.tsx'
import { type DeployRevision, PlanDeploy } from './plan-deploy.tsx'

interface DeployDialogProps {
  application: { id: string; name: string }
  deploying: boolean
  onDeploy: DeployRevision
  onClose: () => void
}

/** Shows the plan per service and the host access to approve before the deployment. */
export const DeployDialog = ({ application, deploying, onDeploy, onClose }: DeployDialogProps) => (
  <Dialog
    open
    wide
    onOpenChange={onClose}
    title={`Deploy ${application.name}`}
    description="Review the changes before you deploy."
  >
    <PlanDeploy applicationId={application.id} deploying={deploying} onDeploy={onDeploy} />
  </Dialog>
)
