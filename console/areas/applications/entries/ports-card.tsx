import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { toast } from 'sonner'
import { splitNonBlankLines } from '../../../../contract/shared/entries.ts'
import { FormDialog } from '../../../lib/form/form-dialog.tsx'
import { RemoveDialog } from '../../../lib/form/remove-dialog.tsx'
import { useEntryDialog } from '../../../lib/use-dialog.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { byNumber, byText } from '../../../ui/table/sort.ts'
import type { Column } from '../../../ui/table/table.tsx'
import { Textarea } from '../../../ui/form/input.tsx'
import { EditComposeLink, EntriesCard, entryActions } from './entries-card.tsx'
import { withTextErrors } from './entry-errors.ts'
import { portsQuery, type PublishedPort, usePublishPorts, useRemovePort } from '../queries.ts'
import { AddressText } from '../../../lib/address.tsx'

interface PortsCardProps {
  applicationId: string
  server: string
  manages: boolean
  /** The ports come from a compose file and cannot be changed here. */
  fromFile: boolean
}

export function PortsCard({ applicationId, server, manages, fromFile }: PortsCardProps) {
  const query = useQuery(portsQuery(applicationId))
  const remove = useRemovePort(applicationId)
  const { dialog, open, close, ask, removing } = useEntryDialog(query.data)
  const edits = manages && !fromFile
  return (
    <>
      <EntriesCard
        title="Published ports"
        description={
          fromFile
            ? `Ports on ${server} that the compose file publishes.`
            : `Ports on ${server} that forward TCP connections to the application. Changes apply immediately.`
        }
        things="ports"
        empty={{
          compact: true,
          title: 'No published ports',
          text: 'Publish a port for TCP services such as databases, mail servers and game servers. Websites need only a domain.',
        }}
        action={
          manages &&
          (fromFile ? (
            <EditComposeLink applicationId={applicationId} />
          ) : (
            <Button onClick={() => open('add-ports')}>
              <Plus aria-hidden />
              Publish ports
            </Button>
          ))
        }
        query={query}
        columns={fromFile ? serviceColumns : columns}
        actions={edits ? entryActions(({ source }) => `port ${source}`, ask, never) : undefined}
      />
      {edits && dialog === 'add-ports' && (
        <PublishPortsDialog applicationId={applicationId} onClose={close} />
      )}
      {edits && removing && (
        <RemoveDialog
          id={removing.id}
          name={`port ${removing.source}`}
          done={`Port ${removing.source} removed`}
          action="Remove port"
          remove={remove}
          onClose={close}
        >
          The application is no longer reachable on this port. Open connections are closed.
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
      description="Applies immediately."
      fields={{ ports: 'required' }}
      action="Publish"
      save={async ({ ports }) => {
        const lines = splitNonBlankLines(ports)
        await withTextErrors('ports', lines, () => publish.mutateAsync(ports))
        toast.success(lines.length === 1 ? 'Port published' : 'Ports published')
      }}
      onClose={onClose}
    >
      {(errors) => (
        <Field label="Ports" help="One per line: server port:container port." error={errors['ports']}>
          <Textarea name="ports" rows={4} placeholder="5432:5432" mono />
        </Field>
      )}
    </FormDialog>
  )
}

const never = () => false

const columns: [Column<PublishedPort>, ...Column<PublishedPort>[]] = [
  {
    head: 'Server port',
    cell: ({ host, source }) => (
      <span className="font-mono tabular-nums">
        <AddressText>{host === '' ? '' : `${host}:`}</AddressText>
        {source}
      </span>
    ),
    sort: byNumber(({ source }) => source, ['lowest first', 'highest first']),
  },
  {
    head: 'Container port',
    cell: ({ target }) => <span className="font-mono tabular-nums">{target}</span>,
    sort: byNumber(({ target }) => target, ['lowest first', 'highest first']),
  },
]

const serviceColumns: [Column<PublishedPort>, ...Column<PublishedPort>[]] = [
  ...columns,
  {
    head: 'Service',
    cell: ({ service }) => <bdi className="wrap-anywhere">{service}</bdi>,
    sort: byText(({ service }) => service),
  },
]
