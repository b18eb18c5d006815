import { useQuery } from '@tanstack/react-query'
import { HardDrive, Plus } from 'lucide-react'
import { RemoveDialog } from '../../../lib/form/remove-dialog.tsx'
import { useEntryDialog } from '../../../lib/form/use-entry-dialog.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { bytesInWords } from '../../../ui/format/bytes.ts'
import { byText } from '../../../ui/table/sort.ts'
import type { Column } from '../../../ui/table/table.tsx'
import { EntriesCard } from './entries-card.tsx'
import { entryActions } from './entry-menu.tsx'
import { FromFile } from '../new/from-file.tsx'
import { type ApplicationVolume as Volume, volumesQuery } from '../queries.ts'
import { VolumeDialog } from './volume-dialog.tsx'
import { useRemoveVolume } from './volumes.ts'

interface VolumesCardProps {
  applicationId: string
  manages: boolean
  /** Whether one may mount folders of the server. */
  binds: boolean
  /** They are those of a compose file, and changed there. */
  fromFile: boolean
}

/** What stays when its containers go. */
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
            ? 'What is written here stays when containers go. It is named in the compose file.'
            : 'What is written here stays when containers go. A change takes effect with the next deployment.'
        }
        things="volumes"
        empty={{
          icon: HardDrive,
          title: 'No storage yet',
          text: 'What a container writes is lost with it, and every deployment makes new ones. A volume stays, such as for the files of a database.',
        }}
        action={
          manages &&
          (fromFile ? (
            <FromFile applicationId={applicationId} />
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
          It is no longer mounted at {removing.target} from the next deployment on. What is in it stays on the
          server{removing.type === 'volume' && ', and is there again when you add it under the same name'}.
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
    head: 'Kind',
    cell: ({ type, name }) =>
      type === 'bind' ? (
        <span className="whitespace-nowrap">Folder of the server</span>
      ) : (
        <span title={name === null ? undefined : `Docker calls it ${name}.`}>Volume</span>
      ),
    sort: byText(({ type }) => type),
  },
  ...(volumes?.some(({ services }) => services !== null) ? [usedBy] : []),
  {
    head: 'Path in the container',
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
      if (typeof size === 'number') return <span className="whitespace-nowrap">{bytesInWords(size)}</span>
      return <span className="text-muted">{asking && type === 'volume' ? 'Counting…' : '–'}</span>
    },
  },
]

/** Of a compose file, whose services come and go. */
const usedBy: Column<Volume> = {
  head: 'Used by',
  cell: ({ services }) =>
    services?.length === 0 ? (
      <span title="No service uses it any more. It stays on the server with all that is in it.">
        <Badge tone="yellow">Unused</Badge>
      </span>
    ) : (
      <span className="wrap-anywhere">{services?.join(', ')}</span>
    ),
  sort: byText(({ services }) => services?.join(', ') ?? ''),
}
