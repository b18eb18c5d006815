import { toast } from 'sonner'
import { SaveButtons } from '../../lib/form/save-buttons.tsx'
import { useDraft } from '../../lib/form/use-draft.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { useUpdateProject } from './mutations.ts'
import { ProjectFields } from './project-fields.tsx'
import type { Project } from './queries.ts'

export function ProjectGeneralCard({ project: { id, name, description } }: { project: Project }) {
  const update = useUpdateProject(id)
  const draft = useDraft(`project of ${id}`, { name, description })
  const { form, errors, pending } = useForm({ name: 'required', description: 'optional' }, async (values) => {
    await update.mutateAsync(values)
    draft.drop()
    toast.success('Project saved')
  })
  return (
    <form {...form} key={draft.round} onReset={draft.onReset}>
      <Card
        title="Name and description"
        footer={
          <>
            Visible to the whole workspace.
            <SaveButtons draft={draft} pending={pending} />
          </>
        }
      >
        <ProjectFields errors={errors} typed={draft.typed} onInput={draft.onInput} />
      </Card>
    </form>
  )
}
