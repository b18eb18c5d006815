import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useCreateWorkspace } from './queries.ts'
import { useNavigate } from 'react-router'
import { useDialog } from '../../lib/use-dialog.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** Form for a new workspace. The user becomes its owner and switches to it. */
export function CreateWorkspaceForm({ onDone }: { onDone?: () => void }) {
  const create = useCreateWorkspace()
  const { form, errors, pending } = useForm({ name: 'required' }, async ({ name }) => {
    await create.mutateAsync(name)
    onDone?.()
  })
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Name" help="For example, the name of a company, team or product." error={errors['name']}>
        <Input name="name" autoComplete="organization" />
      </Field>
      <div className="flex justify-end">
        <Button type="submit" variant="primary" pending={pending && 'Creating…'}>
          Create workspace
        </Button>
      </div>
    </form>
  )
}

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
