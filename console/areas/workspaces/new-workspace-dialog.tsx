import { useNavigate } from 'react-router'
import { useParam } from '../../lib/use-param.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { CreateWorkspaceForm } from './create-workspace-form.tsx'

/** Open while the address says `?dialog=new-workspace`. */
export function NewWorkspaceDialog() {
  const [dialog, setDialog] = useParam('dialog')
  const navigate = useNavigate()
  return (
    <Dialog
      open={dialog === 'new-workspace'}
      onOpenChange={() => setDialog('')}
      title="New workspace"
      description="A workspace has its own servers, applications and members."
    >
      <CreateWorkspaceForm onDone={() => void navigate(paths.home)} />
    </Dialog>
  )
}
