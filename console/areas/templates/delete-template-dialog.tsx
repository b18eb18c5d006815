import { useNavigate } from 'react-router'
import { RemoveDialog } from '../../lib/form/remove-dialog.tsx'
import { paths } from '../../paths.ts'
import { type TemplateDetails, useDeleteTemplate } from './queries.ts'

interface DeleteTemplateDialogProps {
  template: Pick<TemplateDetails, 'id' | 'name'>
  onClose: () => void
}

export function DeleteTemplateDialog({ template: { id, name }, onClose }: DeleteTemplateDialogProps) {
  const remove = useDeleteTemplate()
  const navigate = useNavigate()
  return (
    <RemoveDialog
      id={id}
      name={name}
      action="Delete template"
      remove={{
        ...remove,
        mutateAsync: async (given) => {
          await remove.mutateAsync(given)
          void navigate(paths.templates, { replace: true })
        },
      }}
      onClose={onClose}
    >
      Members can no longer deploy this template. Applications created from it are kept.
    </RemoveDialog>
  )
}
