import { toast } from 'sonner'
import { SaveButtons } from '../../lib/form/save-buttons.tsx'
import { useDraft } from '../../lib/form/use-draft.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useUpdateWorkspace, useWorkspace } from './queries.ts'

export function RenameWorkspaceCard() {
  const workspace = useWorkspace()
  const rename = useUpdateWorkspace()
  const draft = useDraft(`name of ${workspace.id}`, { name: workspace.name })
  const { form, errors, pending } = useForm({ name: 'required' }, async ({ name }) => {
    await rename.mutateAsync({ name })
    draft.drop()
    toast.success('Workspace renamed')
  })
  return (
    <form {...form} key={draft.round} onInput={draft.onInput} onReset={draft.onReset}>
      <Card
        title="Name"
        footer={
          <>
            Visible to all members.
            <SaveButtons draft={draft} pending={pending} />
          </>
        }
      >
        <div className="max-w-md">
          <Field label="Workspace name" error={errors['name']}>
            <Input name="name" defaultValue={draft.typed.name} autoComplete="off" />
          </Field>
        </div>
      </Card>
    </form>
  )
}
