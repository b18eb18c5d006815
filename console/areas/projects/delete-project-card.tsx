import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { useDialog } from '../../lib/use-dialog.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDeleteProject } from './mutations.ts'
import type { Project } from './queries.ts'

const dialogName = 'delete'

export function DeleteProjectCard({ project: { id, name, variables } }: { project: Project }) {
  const { dialog, open, close } = useDialog()
  const navigate = useNavigate()
  const remove = useDeleteProject(id, () => {
    toast.success(`${name} deleted`)
    void navigate(paths.projects, { replace: true })
  })
  const loses = variables > 0
  return (
    <>
      <Card
        title="Delete project"
        footer={
          <>
            {loses ? 'You will be asked to type its name.' : 'You will be asked to confirm.'}
            <Button variant="danger" onClick={() => open(dialogName)}>
              Delete project
            </Button>
          </>
        }
      >
        <p className="text-muted">
          Deletes the project and its variables. Applications and servers are kept and keep running.
        </p>
      </Card>
      <ConfirmDialog
        open={dialog === dialogName}
        onOpenChange={close}
        title={`Delete ${name}?`}
        action="Delete project"
        {...(loses && { typeName: name })}
        pending={remove.isPending && 'Deleting…'}
        onConfirm={() => remove.mutate()}
      >
        {loses
          ? `${variables === 1 ? 'Its variable is deleted: running containers keep it' : `Its ${variables} variables are deleted: running containers keep them`} until their next deployment. Applications and servers are kept.`
          : 'Its applications and servers are kept.'}
      </ConfirmDialog>
    </>
  )
}
