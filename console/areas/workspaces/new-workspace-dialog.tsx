import { useNavigate } from 'react-router'
import { useDialog } from '../../lib/use-dialog.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { CreateWorkspaceForm } from './create-workspace-form.tsx'

/** Open while the URL has `?dialog=new-workspace`. */
export function NewWorkspaceDialog() {
  const { dialog, close } = useDialog()
  const navigate = useNavigate()
  return (
    <Dialog
      open={dialog === 'new-workspace'}
      onOpenChange={close}
      title="New workspace"
      description="A workspace has its own servers, applications and members."
    >
      <CreateWorkspaceForm onDone={() => void navigate(paths.home, { replace: true })} />
    </Dialog>
  )
}
