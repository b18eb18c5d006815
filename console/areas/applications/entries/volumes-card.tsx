import { VolumesTextDialog } from './volumes-text-dialog.tsx'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { RemoveDialog } from '../../../lib/form/remove-dialog.tsx'
import { useEntryDialog } from '../../../lib/use-dialog.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { formatBytes } from '../../../../contract/shared/bytes.ts'
import { byText } from '../../../ui/table/sort.ts'
import type { Column } from '../../../ui/table/table.tsx'
import { EditComposeLink, EntriesCard, entryActions } from './entries-card.tsx'
import { type ApplicationVolume as Volume, volumesQuery } from '../queries.ts'
import { useState } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../../lib/form/form-dialog.tsx'
import { Radio } from '../../../ui/form/checkbox.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import type { Mapping } from '../../../../contract/shared/entries.ts'
import { callApi } from '../../../lib/http/call-api.ts'
import { useApiMutation } from '../../../lib/http/use-api-mutation.ts'

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
          compact: true,
          title: 'No storage yet',
          text: 'Files that a container writes are lost on the next deployment. Add storage to keep data, such as database files.',
        }}
        action={
          manages &&
          (fromFile ? (
            <EditComposeLink applicationId={applicationId} />
          ) : (
            <div className="flex flex-wrap gap-2">
              <Button onClick={() => open('volumes-text')}>Edit as text</Button>
              <Button variant="primary" onClick={() => open('add-volume')}>
                <Plus aria-hidden />
                Add storage
              </Button>
            </div>
          ))
        }
        query={query}
        columns={columnsFor(query.data, sizes.data, sizes.isFetching)}
        actions={edits ? entryActions(({ source }) => source, ask, mayEdit) : undefined}
      />
      {edits && (dialog === 'add-volume' || edited) && (
        <VolumeDialog key={dialog} volume={edited} {...{ applicationId, binds }} onClose={close} />
      )}
      {edits && dialog === 'volumes-text' && query.data && (
        <VolumesTextDialog {...{ applicationId, binds }} volumes={query.data} onClose={close} />
      )}
      {edits && removing && (
        <RemoveDialog
          id={removing.id}
          name={removing.source}
          action="Remove storage"
          remove={remove}
          onClose={close}
        >
          The storage is unmounted from {removing.target} on the next deployment. Its data stays on the server
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
      <span title="Not used by any service. Its data stays on the server.">
        <Badge tone="yellow">Unused</Badge>
      </span>
    ) : (
      <span className="wrap-anywhere">{services?.join(', ')}</span>
    ),
  sort: byText(({ services }) => services?.join(', ') ?? ''),
}

interface VolumeDialogProps {
  applicationId: string
  volume: Volume | undefined
  /** Only admins may mount folders of the server. */
  binds: boolean
  onClose: () => void
}

const onlyAdmins = 'Admins only. Gives the container access to files on the server.'

function VolumeDialog({ applicationId, volume, binds, onClose }: VolumeDialogProps) {
  const save = useSaveVolume(applicationId)
  const [type, setType] = useState<Volume['type']>(volume?.type ?? 'volume')
  const folder = type === 'bind'
  return (
    <FormDialog
      title={volume ? `Edit ${volume.source}` : 'Add storage'}
      description="Applies on the next deployment."
      fields={{ source: 'required', target: 'required' }}
      action={volume ? 'Save' : 'Add storage'}
      save={async (values) => {
        await save.mutateAsync({ volumeId: volume?.id, ...values })
        toast.success(`${values.source} saved`)
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <fieldset className="flex flex-col gap-2.5">
            <legend className="mb-1.5 text-sm font-medium">Type</legend>
            <Radio
              name="type"
              label="Volume"
              help="A Docker volume that only this application uses."
              checked={!folder}
              onChange={() => setType('volume')}
            />
            <Radio
              name="type"
              label="Server folder"
              help={binds ? 'Created if it does not exist.' : onlyAdmins}
              disabled={!binds}
              checked={folder}
              onChange={() => setType('bind')}
            />
          </fieldset>
          <Field
            label={folder ? 'Folder' : 'Name'}
            help={folder ? 'Absolute path on the server.' : 'Unique within this application.'}
            error={errors['source']}
          >
            <Input
              name="source"
              defaultValue={volume?.source}
              placeholder={folder ? '/srv/data' : 'data'}
              mono
            />
          </Field>
          <Field label="Container path" help="Absolute path in the container." error={errors['target']}>
            <Input name="target" defaultValue={volume?.target} placeholder="/data" mono />
          </Field>
        </>
      )}
    </FormDialog>
  )
}

const shown = ['applications']

const useSaveVolume = (id: string) =>
  useApiMutation(shown, ({ volumeId, ...body }: Mapping & { volumeId: string | undefined }) =>
    volumeId === undefined
      ? callApi('POST /v1/applications/{id}/volumes', { params: { id }, body })
      : callApi('PUT /v1/applications/{id}/volumes/{volume_id}', {
          params: { id, volume_id: volumeId },
          body,
        }),
  )

const useRemoveVolume = (id: string) =>
  useApiMutation(shown, (volumeId: string) =>
    callApi('DELETE /v1/applications/{id}/volumes/{volume_id}', { params: { id, volume_id: volumeId } }),
  )
