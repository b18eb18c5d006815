import { toast } from 'sonner'
import { useForm } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Day } from '../../ui/time.tsx'
import { useRenameUser, useUser } from './queries.ts'

export function ProfileCard() {
  const user = useUser()
  const rename = useRenameUser()
  const { form, errors, pending } = useForm({ name: 'required' }, async ({ name }) => {
    await rename.mutateAsync(name)
    toast.success('Name saved.')
  })
  return (
    <form {...form}>
      <Card
        title="Profile"
        footer={
          <>
            Everybody in your workspaces sees your name and email.
            <Button type="submit" variant="primary" pending={pending && 'Saving…'}>
              Save
            </Button>
          </>
        }
      >
        <div className="flex max-w-md flex-col gap-5">
          <Field label="Name" error={errors['name']}>
            <Input name="name" defaultValue={user.name} autoComplete="name" />
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
