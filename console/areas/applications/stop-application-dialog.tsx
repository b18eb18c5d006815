import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Application } from './queries.ts'

interface StopApplicationDialogProps {
  application: Pick<Application, 'name' | 'address'>
  stopping: boolean
  onClose: () => void
  onStop: () => void
}

/** Asked before, since whoever visits it finds nothing. */
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
    Open requests may end, then its containers are stopped, and nobody can reach it
    {application.address !== null && ` at ${application.address}`} until it is started again. Nothing is lost.
  </ConfirmDialog>
)
