import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Application } from './queries.ts'

interface StopApplicationDialogProps {
  application: Pick<Application, 'name' | 'address'>
  stopping: boolean
  onClose: () => void
  onStop: () => void
}

export const StopApplicationDialog = ({
  application,
  stopping,
  onClose,
  onStop,
}: StopApplicationDialogProps) => (
  <ConfirmDialog
    open
    onOpenChange={onClose}
    title={`Stop ${application.name}?`}
    action="Stop application"
    pending={stopping && 'Stopping…'}
    onConfirm={onStop}
  >
    Containers are drained and stopped. The application is not reachable
    {application.address !== null && ` at ${application.address}`} until you start it again. No data is lost.
  </ConfirmDialog>
)
