import { useQuery } from '@tanstack/react-query'
import { HardDrive, Plus } from 'lucide-react'
import { RemoveDialog } from '../../lib/remove-dialog.tsx'
import { useEntryDialog } from '../../lib/use-entry-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { bytesInWords } from '../../ui/bytes.ts'
import { byText } from '../../ui/sort.ts'
import type { Column } from '../../ui/table.tsx'
import { EntriesCard } from './entries-card.tsx'
import { entryActions } from './entry-menu.tsx'
import { type ApplicationVolume as Volume, volumesQuery } from './queries.ts'
import { VolumeDialog } from './volume-dialog.tsx'
import { useRemoveVolume } from './volumes.ts'

interface VolumesCardProps {
  applicationId: string
  manages: boolean
  /** Whether one may mount folders of the server. */
  binds: boolean
}

/** What stays when its containers go. */
export function VolumesCard({ applicationId, manages, binds }: VolumesCardProps) {
  const query = useQuery(volumesQuery(applicationId))
  const sizes = useQuery({ ...volumesQuery(applicationId, true), enabled: (query.data?.length ?? 0) > 0 })
  const remove = useRemoveVolume(applicationId)
  const { dialog, open, close, ask, editing, removing } = useEntryDialog(query.data)
  const mayEdit = ({ type }: Volume) => binds || type === 'volume'
  const edited = editing && mayEdit(editing) ? editing : undefined
  return (
    <>
      <EntriesCard
        title="Storage"
        description="What is written here stays when containers go. A change takes effect with the next deployment."
        things="volumes"
        empty={{
          icon: HardDrive,
          title: 'No storage yet',
          text: 'What a container writes is lost with it, and every deployment makes new ones. A volume stays, such as for the files of a database.',
        }}
        action={
          manages && (
            <Button variant="primary" onClick={() => open('add-volume')}>
              <Plus aria-hidden />
              Add storage
            </Button>
          )
        }
        query={query}
        columns={columnsFor(sizes.data, sizes.isFetching)}
        actions={manages ? entryActions(({ source }) => source, ask, mayEdit) : undefined}
      />
      {manages && (dialog === 'add-volume' || edited) && (
        <VolumeDialog key={dialog} volume={edited} {...{ applicationId, binds }} onClose={close} />
      )}
      {manages && removing && (
        <RemoveDialog id={removing.id} name={removing.source} action="Remove" remove={remove} onClose={close}>
          It is no longer mounted at {removing.target} from the next deployment on. What is in it stays on the
          server{removing.type === 'volume' && ', and is there again when you add it under the same name'}.
        </RemoveDialog>
      )}
    </>
  )
}

const columnsFor = (
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
      if (typeof size === 'number') return bytesInWords(size)
      return <span className="text-muted">{asking && type === 'volume' ? 'Counting…' : '–'}</span>
    },
  },
]
