import { useState } from 'react'
import { toast } from 'sonner'
import { useForm } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { useUpdateServer } from './changes.ts'
import type { Server } from './queries.ts'
import { labelsError, readLabels, writeLabels } from './read-labels.ts'

export function GeneralCard({ server }: { server: Server }) {
  const update = useUpdateServer(server.id)
  const [typed, setTyped] = useState(() => typedOf(server))
  const { form, errors, pending } = useForm(
    { name: 'required', labels: 'optional' },
    async ({ name, labels }) => {
      const saved = await update.mutateAsync({ name, labels: readLabels(labels) })
      // As it was saved: without spaces around, without labels that came twice.
      setTyped(typedOf(saved.server))
      toast.success('Server saved.')
    },
  )
  return (
    <form {...form}>
      <Card
        title="Name and labels"
        footer={
          <>
            Everybody in the workspace sees them.
            <Button type="submit" variant="primary" pending={pending && 'Saving…'}>
              Save
            </Button>
          </>
        }
      >
        <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
          <Field label="Name" error={errors['name']}>
            <Input
              name="name"
              value={typed.name}
              onChange={({ target }) => setTyped({ ...typed, name: target.value })}
              autoComplete="off"
            />
          </Field>
          <Field
            label="Labels"
            optional
            help="With commas between them, such as web, eu."
            error={labelsError(errors)}
          >
            <Input
              name="labels"
              value={typed.labels}
              onChange={({ target }) => setTyped({ ...typed, labels: target.value })}
              autoComplete="off"
            />
          </Field>
        </div>
      </Card>
    </form>
  )
}

const typedOf = ({ name, labels }: Server) => ({ name, labels: writeLabels(labels) })
