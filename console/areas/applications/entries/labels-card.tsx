import { queryOptions, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { RemoveDialog } from '../../../lib/form/remove-dialog.tsx'
import { useEntryDialog } from '../../../lib/use-dialog.ts'
import { Button } from '../../../ui/button.tsx'
import { Masked } from '../../../ui/code.tsx'
import { byText } from '../../../ui/table/sort.ts'
import type { Column } from '../../../ui/table/table.tsx'
import { EditComposeLink, EntriesCard, entryActions } from './entries-card.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useState } from 'react'
import { toast } from 'sonner'
import { type Pair, readPairs } from '../../../../contract/shared/entries.ts'
import { ApiError } from '../../../lib/http/api-error.ts'
import { FormDialog } from '../../../lib/form/form-dialog.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import { TagsInput } from '../../../ui/form/tags-input.tsx'
import { withTextErrors } from './entry-errors.ts'
import type { Api } from '../../../../contract/api.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { callApi } from '../../../lib/http/call-api.ts'
import { useApiMutation } from '../../../lib/http/use-api-mutation.ts'

export function LabelsCard({ applicationId, manages }: { applicationId: string; manages: boolean }) {
  const query = useQuery(labelsQuery(applicationId))
  const remove = useRemoveLabel(applicationId)
  const { dialog, open, close, ask, editing, removing } = useEntryDialog(query.data)
  return (
    <>
      <EntriesCard
        title="Labels"
        description="Docker labels on the application’s containers. Changes apply on the next deployment."
        things="labels"
        empty={{
          compact: true,
          title: 'No labels yet',
          text: 'Labels pass information about containers to other software on the server, such as a monitoring agent.',
        }}
        action={
          manages && (
            <Button variant="primary" onClick={() => open('add-labels')}>
              <Plus aria-hidden />
              Add labels
            </Button>
          )
        }
        query={query}
        texts={({ key, value }) => [key, value ?? '']}
        columns={columns}
        actions={manages ? entryActions(({ key }) => key, ask) : undefined}
      />
      {manages && dialog === 'add-labels' && query.data && (
        <AddLabelsDialog applicationId={applicationId} labels={query.data} onClose={close} />
      )}
      {manages && editing && (
        <EditLabelDialog key={editing.id} applicationId={applicationId} label={editing} onClose={close} />
      )}
      {manages && removing && (
        <RemoveDialog
          id={removing.id}
          name={removing.key}
          action="Remove label"
          remove={remove}
          onClose={close}
        >
          Running containers keep the label until the next deployment.
        </RemoveDialog>
      )}
    </>
  )
}

const mono = (text: string) => (
  <span className="font-mono text-sm wrap-anywhere" dir="ltr">
    {text}
  </span>
)

const columns: [Column<Label>, ...Column<Label>[]] = [
  { head: 'Key', cell: ({ key }) => mono(key), sort: byText(({ key }) => key) },
  {
    head: 'Value',
    cell: ({ value }) => (value === null ? <Masked /> : mono(value)),
    sort: byText(({ value }) => value ?? ''),
  },
]

export const ComposeLabelsCard = ({
  applicationId,
  manages,
}: {
  applicationId: string
  manages: boolean
}) => (
  <Card title="Labels" description="Docker labels on the application’s containers." flush>
    <EmptyState
      compact
      title="Labels are defined in the compose file"
      action={manages && <EditComposeLink applicationId={applicationId} />}
    >
      Edit the compose file to change the labels of a service. Changes apply on the next deployment.
    </EmptyState>
  </Card>
)

const waits = 'Applies on the next deployment.'

interface AddLabelsProps {
  applicationId: string
  labels: readonly Label[]
  onClose: () => void
}

function AddLabelsDialog({ applicationId, labels, onClose }: AddLabelsProps) {
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
          help="Comma-separated key=value pairs, such as com.example.team=web."
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

function EditLabelDialog({ applicationId, label, onClose }: EditLabelProps) {
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
            <Input name="key" defaultValue={label.key} mono />
          </Field>
          <Field label="Value" optional error={errors['value']}>
            <Input name="value" defaultValue={label.value ?? ''} mono />
          </Field>
        </>
      )}
    </FormDialog>
  )
}

type Label = Reply<Api['GET /v1/applications/{id}/labels']>['labels'][number]

const shown = ['applications']

const labelsQuery = (id: string) =>
  queryOptions({
    queryKey: [...shown, 'labels', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/applications/{id}/labels', { params: { id } }, signal)).labels,
  })

const useUpdateLabel = (id: string) =>
  useApiMutation(shown, ({ labelId, ...body }: Pair & { labelId: string }) =>
    callApi('PUT /v1/applications/{id}/labels/{label_id}', { params: { id, label_id: labelId }, body }),
  )

const useReplaceLabels = (id: string) =>
  useApiMutation(
    shown,
    (labels: readonly Pair[]) =>
      callApi('PUT /v1/applications/{id}/labels', { params: { id }, body: { labels: [...labels] } }),
    true,
  )

const useRemoveLabel = (id: string) =>
  useApiMutation(shown, (labelId: string) =>
    callApi('DELETE /v1/applications/{id}/labels/{label_id}', { params: { id, label_id: labelId } }),
  )
