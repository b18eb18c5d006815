import { Dialog } from '../../ui/dialog.tsx'
import { type Deploy, PlanDeploy } from './plan-deploy.tsx'

interface DeployDialogProps {
  application: { id: string; name: string }
  deploying: boolean
  onDeploy: Deploy
  onClose: () => void
}

/** Says what a deployment does with each service, before it does. */
export const DeployDialog = ({ application, deploying, onDeploy, onClose }: DeployDialogProps) => (
  <Dialog
    open
    wide
    onOpenChange={onClose}
    title={`Deploy ${application.name}`}
    description="This is what happens with each of its services. Nothing is done before you press Deploy."
  >
    <PlanDeploy applicationId={application.id} deploying={deploying} onDeploy={onDeploy} />
  </Dialog>
)
