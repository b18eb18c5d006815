import { toast } from 'sonner'
import { SaveButtons } from '../../lib/form/save-buttons.tsx'
import { useDraft } from '../../lib/form/use-draft.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { useUpdateServer } from './mutations.ts'
import { NameFields } from './name-fields.tsx'
import type { Server } from './queries.ts'
import { readLabels, writeLabels } from './read-labels.ts'

export function ServerGeneralCard({ server }: { server: Server }) {
  const update = useUpdateServer(server.id)
  const draft = useDraft(`name of ${server.id}`, typedOf(server))
  const { form, errors, pending } = useForm(
    { name: 'required', labels: 'optional' },
    async ({ name, labels }) => {
      await update.mutateAsync({ name, labels: readLabels(labels) })
      // Show the saved value, which is trimmed and deduplicated.
      draft.drop()
      toast.success('Server saved')
    },
  )
  return (
    <form {...form} onReset={draft.onReset}>
      <Card
        title="Name and labels"
        footer={
          <>
            Visible to everyone in the workspace.
            <SaveButtons draft={draft} pending={pending} />
          </>
        }
      >
        <NameFields draft={draft} errors={errors} />
      </Card>
    </form>
  )
}

const typedOf = ({ name, labels }: Server) => ({ name, labels: writeLabels(labels) })
