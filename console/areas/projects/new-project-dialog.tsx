import { useRef } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../lib/form/form-dialog.tsx'
import { useCreateProject } from './mutations.ts'
import { ProjectFields } from './project-fields.tsx'

interface NewProjectDialogProps {
  onMade: (id: string) => void
  onClose: () => void
}

export function NewProjectDialog({ onMade, onClose }: NewProjectDialogProps) {
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
