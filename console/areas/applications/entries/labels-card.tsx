import { useQuery } from '@tanstack/react-query'
import { Plus, Tags } from 'lucide-react'
import { RemoveDialog } from '../../../lib/form/remove-dialog.tsx'
import { useEntryDialog } from '../../../lib/form/use-entry-dialog.ts'
import { Button } from '../../../ui/button.tsx'
import { Masked } from '../../../ui/masked.tsx'
import { byText } from '../../../ui/table/sort.ts'
import type { Column } from '../../../ui/table/table.tsx'
import { EntriesCard } from './entries-card.tsx'
import { entryActions } from './entry-menu.tsx'
import { AddLabelsDialog, EditLabelDialog } from './label-dialogs.tsx'
import { type Label, labelsQuery, useRemoveLabel } from './labels.ts'

export function LabelsCard({ applicationId, manages }: { applicationId: string; manages: boolean }) {
  const query = useQuery(labelsQuery(applicationId))
  const remove = useRemoveLabel(applicationId)
  const { dialog, open, close, ask, editing, removing } = useEntryDialog(query.data)
  return (
    <>
      <EntriesCard
        title="Labels"
        description="Docker labels of its containers. Changes apply on the next deployment."
        things="labels"
        empty={{
          icon: Tags,
          title: 'No labels yet',
          text: 'Labels describe containers to other programs on the server, such as a monitoring agent.',
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
          Running containers keep it until the next deployment.
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
