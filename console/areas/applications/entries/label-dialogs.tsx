import { useState } from 'react'
import { toast } from 'sonner'
import { readPairs } from '../../../../contract/shared/entries.ts'
import { ApiError } from '../../../lib/http/api-error.ts'
import { FormDialog } from '../../../lib/form/form-dialog.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import { TagsInput } from '../../../ui/form/tags-input.tsx'
import { withTextErrors } from './entry-errors.ts'
import { type Label, useReplaceLabels, useUpdateLabel } from './labels.ts'

const waits = 'Applies with the next deployment.'

interface AddLabelsProps {
  applicationId: string
  labels: readonly Label[]
  onClose: () => void
}

/** Adds labels; an existing key gets the new value. */
export function AddLabelsDialog({ applicationId, labels, onClose }: AddLabelsProps) {
  const replace = useReplaceLabels(applicationId)
  const [tags, setTags] = useState<string[]>([])

  async function save() {
    const added = readPairs(tags.join('\n'))
    if (added.length === 0) throw new ApiError({ messages: [], fields: { labels: 'Fill in this field.' } })
    const all = [...labels.map(({ key, value }) => ({ key, value: value ?? '' })), ...added]
    const names = all.map(({ key, value }) => `${key}=${value}`)
    await withTextErrors('labels', names, () => replace.mutateAsync(all))
    toast.success(added.length === 1 ? 'Label saved' : 'Labels saved')
  }

  return (
    <FormDialog
      title="Add labels"
      description={waits}
      fields={{}}
      action="Add labels"
      save={save}
      onClose={onClose}
    >
      {(errors) => (
        <Field
          label="Labels"
          help="key=value, separated by commas, such as com.example.team=web."
          error={errors['labels']}
        >
          <TagsInput name="labels" value={tags} onChange={setTags} placeholder="team=web" />
        </Field>
      )}
    </FormDialog>
  )
}

interface EditLabelProps {
  applicationId: string
  label: Label
  onClose: () => void
}

export function EditLabelDialog({ applicationId, label, onClose }: EditLabelProps) {
  const update = useUpdateLabel(applicationId)
  return (
    <FormDialog
      title={`Edit ${label.key}`}
      description={waits}
      fields={{ key: 'required', value: 'optional' }}
      action="Save"
      save={async (values) => {
        await update.mutateAsync({ labelId: label.id, ...values })
        toast.success(`${values.key} saved`)
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field label="Key" error={errors['key']}>
            <Input name="key" defaultValue={label.key} mono autoComplete="off" spellCheck={false} />
          </Field>
          <Field label="Value" optional error={errors['value']}>
            <Input name="value" defaultValue={label.value ?? ''} mono autoComplete="off" spellCheck={false} />
          </Field>
        </>
      )}
    </FormDialog>
  )
}
