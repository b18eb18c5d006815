import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useCreateWorkspace } from './queries.ts'

/** Whoever makes a workspace owns it and works in it from then on. */
export function CreateWorkspaceForm({ onDone }: { onDone?: () => void }) {
  const create = useCreateWorkspace()
  const { form, errors, pending } = useForm({ name: 'required' }, async ({ name }) => {
    await create.mutateAsync(name)
    onDone?.()
  })
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Name" help="A company, a team or a product." error={errors['name']}>
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
