import { Dialog } from '../../ui/dialog.tsx'
import { type Deploy, PlanDeploy } from './plan-deploy.tsx'

interface DeployDialogProps {
  application: { id: string; name: string }
  deploying: boolean
  onDeploy: Deploy
  onClose: () => void
}

/** Shows what a deployment does before it begins: with each service of a compose file, and the host access to approve. */
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
