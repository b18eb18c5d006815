import { toast } from 'sonner'
import { Card } from '../../ui/card.tsx'
import { type Project, useDeleteProject, useUpdateProject } from './queries.ts'
import { ProjectFields } from './new-project-dialog.tsx'
import { Switch } from '../../ui/form/checkbox.tsx'
import { useNavigate } from 'react-router'
import { useDialog } from '../../lib/use-dialog.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FormCard } from '../../lib/form/form-card.tsx'

export function ProjectGeneralCard({ project: { id, name, description } }: { project: Project }) {
  const update = useUpdateProject(id)
  return (
    <FormCard
      title="Name and description"
      description="Visible to all workspace members."
      fields={{ name: 'required', description: 'optional' }}
      saved={{ name, description }}
      save={async (values) => {
        await update.mutateAsync(values)
        return undefined
      }}
    >
      {(part) => <ProjectFields {...part} />}
    </FormCard>
  )
}

export function NetworkCard({ project: { id, network } }: { project: Project }) {
  const update = useUpdateProject(id)
  // Show the requested state until the response arrives.
  const wanted = (update.isPending ? update.variables.network : undefined) ?? network
  return (
    <Card
      title="Network"
      description="By default, applications reach each other only through domains and published ports."
    >
      <Switch
        label="Project network"
        help="Applications on the same server reach each other by host name. Applies on their next deployment."
        checked={wanted}
        onCheckedChange={(checked) =>
          update.mutate(
            { network: checked },
            { onSuccess: () => toast.success(`Project network turned ${checked ? 'on' : 'off'}`) },
          )
        }
      />
    </Card>
  )
}

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
            {loses ? 'You must type the name to confirm.' : 'This cannot be undone.'}
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
          ? `${variables === 1 ? 'Its variable is deleted, but running containers keep it' : `Its ${variables} variables are deleted, but running containers keep them`} until the next deployment. Applications and servers are kept.`
          : 'Its applications and servers are kept.'}
      </ConfirmDialog>
    </>
  )
}
