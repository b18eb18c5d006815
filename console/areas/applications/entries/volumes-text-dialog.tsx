import { toast } from 'sonner'
import { splitNonBlankLines, writeMappings } from '../../../../contract/shared/entries.ts'
import { FormDialog } from '../../../lib/form/form-dialog.tsx'
import { useApiMutation } from '../../../lib/http/use-api-mutation.ts'
import { callApi } from '../../../lib/http/call-api.ts'
import { Field } from '../../../ui/form/field.tsx'
import { Textarea } from '../../../ui/form/input.tsx'
import type { ApplicationVolume } from '../queries.ts'
import { withTextErrors } from './entry-errors.ts'

interface VolumesTextDialogProps {
  applicationId: string
  volumes: readonly ApplicationVolume[]
  /** Only admins may mount folders of the server. */
  binds: boolean
  onClose: () => void
}

/** Saving the text replaces all mounts but deletes no data. */
export function VolumesTextDialog({ applicationId, volumes, binds, onClose }: VolumesTextDialogProps) {
  const replace = useReplaceVolumes(applicationId)
  return (
    <FormDialog
      title="Edit storage as text"
      description="Applies on the next deployment. The data of removed volumes stays on the server."
      fields={{ volumes: 'optional' }}
      action="Save"
      wide
      save={async ({ volumes: text }) => {
        await withTextErrors('volumes', splitNonBlankLines(text), () => replace.mutateAsync(text))
        toast.success('Storage saved')
      }}
      onClose={onClose}
    >
      {(errors) => (
        <Field
          label="Storage"
          help={`One per line: name:/path${binds ? ' or /host/folder:/path' : ''}.`}
          error={errors['volumes']}
        >
          <Textarea
            name="volumes"
            rows={8}
            defaultValue={writeMappings(volumes)}
            placeholder="data:/data"
            mono
          />
        </Field>
      )}
    </FormDialog>
  )
}

const useReplaceVolumes = (id: string) =>
  useApiMutation(
    ['applications'],
    (volumes: string) => callApi('PUT /v1/applications/{id}/volumes', { params: { id }, body: { volumes } }),
    true,
  )
