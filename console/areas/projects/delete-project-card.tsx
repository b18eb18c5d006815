import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { useDialog } from '../../lib/use-dialog.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDeleteProject } from './changes.ts'
import type { Project } from './queries.ts'

const dialogName = 'delete'

export function DeleteProjectCard({ project: { id, name, variables } }: { project: Project }) {
  const { dialog, open, close } = useDialog()
  const navigate = useNavigate()
  const remove = useDeleteProject(id, () => {
    toast.success(`${name} was deleted.`)
    void navigate(paths.projects, { replace: true })
  })
  const loses = variables > 0
  return (
    <>
      <Card
        title="Delete the project"
        footer={
          <>
            {loses ? 'You will be asked to type its name.' : 'You will be asked once more.'}
            <Button variant="danger" onClick={() => open(dialogName)}>
              Delete project
            </Button>
          </>
        }
      >
        <p className="text-muted">
          Its applications and servers stay as they are, and run on. Only the group and its variables go.
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
          ? `${variables === 1 ? 'Its variable is lost: what runs keeps it' : `Its ${variables} variables are lost: what runs keeps them`} until its next deployment. Applications and servers stay.`
          : 'Its applications and servers stay as they are.'}
      </ConfirmDialog>
    </>
  )
}
