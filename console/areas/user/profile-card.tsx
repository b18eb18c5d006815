import { toast } from 'sonner'
import { SaveButtons } from '../../lib/form/save-buttons.tsx'
import { useDraft } from '../../lib/form/use-draft.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Day } from '../../ui/time.tsx'
import { useRenameUser, useUser } from './queries.ts'

export function ProfileCard() {
  const user = useUser()
  const rename = useRenameUser()
  const draft = useDraft('profile', { name: user.name })
  const { form, errors, pending } = useForm({ name: 'required' }, async ({ name }) => {
    await rename.mutateAsync(name)
    draft.drop()
    toast.success('Name saved')
  })
  return (
    <form {...form} key={draft.round} onInput={draft.onInput} onReset={draft.onReset}>
      <Card
        title="Profile"
        footer={
          <>
            Visible to all members of your workspaces.
            <SaveButtons draft={draft} pending={pending} />
          </>
        }
      >
        <div className="flex max-w-md flex-col gap-5">
          <Field label="Name" error={errors['name']}>
            <Input name="name" defaultValue={draft.typed.name} autoComplete="name" />
          </Field>
          <DefinitionList
            items={[
              { term: 'Email', value: user.email },
              ...(user.github === null ? [] : [{ term: 'GitHub', value: user.github }]),
              { term: 'Joined', value: <Day at={user.created_at} /> },
            ]}
          />
        </div>
      </Card>
    </form>
  )
}
