import { toast } from 'sonner'
import { useForm } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { useRenameWorkspace, useWorkspace } from './queries.ts'

export function RenameCard() {
  const workspace = useWorkspace()
  const rename = useRenameWorkspace()
  const { form, errors, pending } = useForm({ name: 'required' }, async ({ name }) => {
    await rename.mutateAsync(name)
    toast.success('Workspace renamed.')
  })
  return (
    <form {...form}>
      <Card
        title="Name"
        footer={
          <>
            Everybody in the workspace sees it.
            <Button type="submit" variant="primary" pending={pending && 'Saving…'}>
              Save
            </Button>
          </>
        }
      >
        <div className="max-w-md">
          <Field label="Workspace name" error={errors['name']}>
            <Input name="name" defaultValue={workspace.name} autoComplete="off" />
          </Field>
        </div>
      </Card>
    </form>
  )
}
