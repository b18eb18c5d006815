import { useQuery } from '@tanstack/react-query'
import { Cable, Plus } from 'lucide-react'
import { toast } from 'sonner'
import { readMappings } from '../../../contract/entries.ts'
import { FormDialog } from '../../lib/form-dialog.tsx'
import { RemoveDialog } from '../../lib/remove-dialog.tsx'
import { useEntryDialog } from '../../lib/use-entry-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { byNumber } from '../../ui/sort.ts'
import type { Column } from '../../ui/table.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { EntriesCard } from './entries-card.tsx'
import { atText } from './entry-errors.ts'
import { entryActions } from './entry-menu.tsx'
import { portsQuery, type PublishedPort, usePublishPorts, useRemovePort } from './ports.ts'

interface PortsCardProps {
  applicationId: string
  server: string
  manages: boolean
}

/** Ports of the server that lead to the application, for what does not speak HTTP. */
export function PortsCard({ applicationId, server, manages }: PortsCardProps) {
  const query = useQuery(portsQuery(applicationId))
  const remove = useRemovePort(applicationId)
  const { dialog, open, close, ask, removing } = useEntryDialog(query.data)
  return (
    <>
      <EntriesCard
        title="Published ports"
        description={`Ports of ${server} that lead to it, for what does not speak HTTP. They take effect at once.`}
        things="ports"
        empty={{
          icon: Cable,
          title: 'No published ports',
          text: 'A website needs none: its addresses are enough. Publish a port for a database, a mail server or a game.',
        }}
        action={
          manages && (
            <Button onClick={() => open('add-ports')}>
              <Plus aria-hidden />
              Publish ports
            </Button>
          )
        }
        query={query}
        columns={columns}
        actions={manages ? entryActions(({ source }) => `port ${source}`, ask, never) : undefined}
      />
      {manages && dialog === 'add-ports' && (
        <PublishPortsDialog applicationId={applicationId} onClose={close} />
      )}
      {manages && removing && (
        <RemoveDialog
          id={removing.id}
          name={`port ${removing.source}`}
          done={`Port ${removing.source} was removed.`}
          action="Remove port"
          remove={remove}
          onClose={close}
        >
          From now on nobody reaches the application through it, and connections that are open are cut.
        </RemoveDialog>
      )}
    </>
  )
}

function PublishPortsDialog({ applicationId, onClose }: { applicationId: string; onClose: () => void }) {
  const publish = usePublishPorts(applicationId)
  return (
    <FormDialog
      title="Publish ports"
      description="They take effect at once."
      fields={{ ports: 'required' }}
      action="Publish"
      save={async ({ ports }) => {
        const wanted = readMappings(ports)
        const names = wanted.map(({ source, target }) => `${source}:${target}`)
        await atText('ports', names, () => publish.mutateAsync(ports))
        toast.success(wanted.length === 1 ? 'Port published.' : 'Ports published.')
      }}
      onClose={onClose}
    >
      {(errors) => (
        <Field
          label="Ports"
          help="One a line: the port on the server, a colon, the port in the container."
          error={errors['ports']}
        >
          <Textarea
            name="ports"
            rows={4}
            placeholder="5432:5432"
            mono
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      )}
    </FormDialog>
  )
}

/** One that should be another is removed and published anew. */
const never = () => false

const columns: [Column<PublishedPort>, ...Column<PublishedPort>[]] = [
  {
    head: 'Port on the server',
    cell: ({ source }) => <span className="font-mono tabular-nums">{source}</span>,
    sort: byNumber(({ source }) => source, ['lowest first', 'highest first']),
  },
  {
    head: 'Port in the container',
    cell: ({ target }) => <span className="font-mono tabular-nums">{target}</span>,
    sort: byNumber(({ target }) => target, ['lowest first', 'highest first']),
  },
]
