import { useRef } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../lib/form/form-dialog.tsx'
import { useCreateProject } from './queries.ts'
import { Field } from '../../ui/form/field.tsx'
import { Input, Textarea } from '../../ui/form/input.tsx'

export function NewProjectDialog({ onMade, onClose }: { onMade: (id: string) => void; onClose: () => void }) {
  const create = useCreateProject()
  const made = useRef<string>(undefined)
  return (
    <FormDialog
      title="New project"
      description="Add applications and servers next."
      fields={{ name: 'required', description: 'optional' }}
      action="Create project"
      pending="Creating…"
      save={async (values) => {
        const { id } = await create.mutateAsync(values)
        toast.success('Project created')
        made.current = id
      }}
      onClose={() => (made.current === undefined ? onClose() : onMade(made.current))}
    >
      {(errors) => <ProjectFields errors={errors} />}
    </FormDialog>
  )
}

interface ProjectFieldsProps {
  errors: Record<string, string>
  typed?: Record<'name' | 'description', string>
}

export const ProjectFields = ({ errors, typed }: ProjectFieldsProps) => (
  <div className="flex flex-col gap-4">
    <Field label="Name" error={errors['name']}>
      <Input name="name" defaultValue={typed?.name} placeholder="Online shop" autoComplete="off" />
    </Field>
    <Field label="Description" optional error={errors['description']}>
      <Textarea name="description" rows={2} defaultValue={typed?.description} autoComplete="off" />
    </Field>
  </div>
)
