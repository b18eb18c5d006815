import { useQuery } from '@tanstack/react-query'
import { HardDrive, Plus } from 'lucide-react'
import { RemoveDialog } from '../../../lib/form/remove-dialog.tsx'
import { useEntryDialog } from '../../../lib/form/use-entry-dialog.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { formatBytes } from '../../../../contract/shared/bytes.ts'
import { byText } from '../../../ui/table/sort.ts'
import type { Column } from '../../../ui/table/table.tsx'
import { EntriesCard } from './entries-card.tsx'
import { entryActions } from './entry-menu.tsx'
import { EditComposeLink } from '../new/edit-compose-link.tsx'
import { type ApplicationVolume as Volume, volumesQuery } from '../queries.ts'
import { VolumeDialog } from './volume-dialog.tsx'
import { useRemoveVolume } from './volumes.ts'

interface VolumesCardProps {
  applicationId: string
  manages: boolean
  binds: boolean
  /** The volumes come from a compose file and cannot be changed here. */
  fromFile: boolean
}

export function VolumesCard({ applicationId, manages, binds, fromFile }: VolumesCardProps) {
  const query = useQuery(volumesQuery(applicationId))
  const sizes = useQuery({ ...volumesQuery(applicationId, true), enabled: (query.data?.length ?? 0) > 0 })
  const remove = useRemoveVolume(applicationId)
  const { dialog, open, close, ask, editing, removing } = useEntryDialog(query.data)
  const edits = manages && !fromFile
  const mayEdit = ({ type }: Volume) => binds || type === 'volume'
  const edited = editing && mayEdit(editing) ? editing : undefined
  return (
    <>
      <EntriesCard
        title="Storage"
        description={
          fromFile
            ? 'Persistent storage, defined in the compose file.'
            : 'Persistent storage. Changes apply on the next deployment.'
        }
        things="volumes"
        empty={{
          icon: HardDrive,
          title: 'No storage yet',
          text: 'Files that a container writes are lost with the next deployment. Add a volume to keep data, such as the files of a database.',
        }}
        action={
          manages &&
          (fromFile ? (
            <EditComposeLink applicationId={applicationId} />
          ) : (
            <Button variant="primary" onClick={() => open('add-volume')}>
              <Plus aria-hidden />
              Add storage
            </Button>
          ))
        }
        query={query}
        columns={columnsFor(query.data, sizes.data, sizes.isFetching)}
        actions={edits ? entryActions(({ source }) => source, ask, mayEdit) : undefined}
      />
      {edits && (dialog === 'add-volume' || edited) && (
        <VolumeDialog key={dialog} volume={edited} {...{ applicationId, binds }} onClose={close} />
      )}
      {edits && removing && (
        <RemoveDialog id={removing.id} name={removing.source} action="Remove" remove={remove} onClose={close}>
          It is no longer mounted at {removing.target} from the next deployment on. Its data stays on the
          server
          {removing.type === 'volume' && ' and is available again when you add storage with the same name'}.
        </RemoveDialog>
      )}
    </>
  )
}

const columnsFor = (
  volumes: readonly Volume[] | undefined,
  counted: readonly Volume[] | undefined,
  asking: boolean,
): [Column<Volume>, ...Column<Volume>[]] => [
  {
    head: 'Storage',
    cell: ({ source }) => (
      <span className="font-mono text-sm wrap-anywhere sm:inline-block sm:min-w-36" dir="ltr">
        {source}
      </span>
    ),
    sort: byText(({ source }) => source),
  },
  {
    head: 'Type',
    cell: ({ type, name }) =>
      type === 'bind' ? (
        <span className="whitespace-nowrap">Server folder</span>
      ) : (
        <span title={name === null ? undefined : `Docker volume ${name}`}>Volume</span>
      ),
    sort: byText(({ type }) => type),
  },
  ...(volumes?.some(({ services }) => services !== null) ? [usedBy] : []),
  {
    head: 'Container path',
    cell: ({ target }) => (
      <span className="font-mono text-sm wrap-anywhere" dir="ltr">
        {target}
      </span>
    ),
    sort: byText(({ target }) => target),
  },
  {
    head: 'Size',
    align: 'right',
    narrow: true,
    cell: ({ id, type }) => {
      const size = counted?.find((volume) => volume.id === id)?.size_bytes
      if (typeof size === 'number') return <span className="whitespace-nowrap">{formatBytes(size)}</span>
      return <span className="text-muted">{asking && type === 'volume' ? 'Measuring…' : '–'}</span>
    },
  },
]

const usedBy: Column<Volume> = {
  head: 'Used by',
  cell: ({ services }) =>
    services?.length === 0 ? (
      <span title="No service uses it. Its data stays on the server.">
        <Badge tone="yellow">Unused</Badge>
      </span>
    ) : (
      <span className="wrap-anywhere">{services?.join(', ')}</span>
    ),
  sort: byText(({ services }) => services?.join(', ') ?? ''),
}
