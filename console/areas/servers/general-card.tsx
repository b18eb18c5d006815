import { toast } from 'sonner'
import { SaveButtons } from '../../lib/save-buttons.tsx'
import { useDraft } from '../../lib/use-draft.ts'
import { useForm } from '../../lib/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { useUpdateServer } from './changes.ts'
import type { Server } from './queries.ts'
import { labelsError, readLabels, writeLabels } from './read-labels.ts'

export function GeneralCard({ server }: { server: Server }) {
  const update = useUpdateServer(server.id)
  const draft = useDraft(`name of ${server.id}`, typedOf(server))
  const { form, errors, pending } = useForm(
    { name: 'required', labels: 'optional' },
    async ({ name, labels }) => {
      await update.mutateAsync({ name, labels: readLabels(labels) })
      // As it was saved: without spaces around, without labels that came twice.
      draft.drop()
      toast.success('Server saved.')
    },
  )
  return (
    <form {...form} onReset={draft.onReset}>
      <Card
        title="Name and labels"
        footer={
          <>
            Everybody in the workspace sees them.
            <SaveButtons draft={draft} pending={pending} />
          </>
        }
      >
        <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
          <Field label="Name" error={errors['name']}>
            <Input name="name" value={draft.typed.name} onChange={draft.onInput} autoComplete="off" />
          </Field>
          <Field
            label="Labels"
            optional
            help="With commas between them, such as web, eu."
            error={labelsError(errors)}
          >
            <Input name="labels" value={draft.typed.labels} onChange={draft.onInput} autoComplete="off" />
          </Field>
        </div>
      </Card>
    </form>
  )
}

const typedOf = ({ name, labels }: Server) => ({ name, labels: writeLabels(labels) })
