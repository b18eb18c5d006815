import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { callApi } from '../../lib/http/call-api.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { formatList } from '../../../contract/shared/format-list.ts'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { type Application, type ApplicationVolume, volumesQuery } from './queries.ts'
import { isCompose } from './source-label.ts'

interface DeleteApplicationDialogProps {
  application: Pick<Application, 'id' | 'name' | 'server' | 'source'>
  /** The server is known to be unreachable, so nothing on it can be removed now. */
  away: boolean
  onClose: () => void
  onDeleted: () => void
}

export function DeleteApplicationDialog(props: DeleteApplicationDialogProps) {
  const { application, onClose, onDeleted } = props
  const { id, name, server, source } = application
  const [tried, setTried] = useState(false)
  const away = props.away || tried
  const volumes = useVolumes(id, !away)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [folder, setFolder] = useState(false)
  const [leave, setLeave] = useState(false)
  const remove = useDelete(id, () => {
    toast.success(`Deletion of ${name} started`)
    onDeleted()
  })

  function choose(volume: string, on: boolean) {
    setChosen((before) => new Set(on ? [...before, volume] : [...before].filter((item) => item !== volume)))
  }

  return (
    <ConfirmDialog
      open
      wide
      onOpenChange={onClose}
      title={`Delete ${name}?`}
      action={leave ? 'Forget application' : 'Delete application'}
      typeName={name}
      pending={remove.isPending && 'Deleting…'}
      onConfirm={() =>
        remove.mutate(
          { volumes: leave ? [] : [...chosen], folder: folder && !leave, leave },
          { onError: (error) => setTried(tried || isOutOfReach(error)) },
        )
      }
    >
      <div className="flex flex-col gap-4">
        {leave ? (
          <p>
            The application, its domains, releases and deployments are deleted from Slipway. Its containers on{' '}
            {server.name} keep running, but Slipway no longer manages them. This cannot be undone.
          </p>
        ) : (
          <p>
            Its containers, domains, settings, releases and deployments are deleted. This cannot be undone.
          </p>
        )}
        {away && (
          <Checkbox
            label="Keep the containers on the server"
            help={`${server.name} is unreachable, so the containers cannot be removed now.`}
            checked={leave}
            onChange={({ target }) => setLeave(target.checked)}
          />
        )}
        {!leave && isCompose(source.type) && (
          <Checkbox
            label="Delete the application’s folder on the server"
            help="Includes files that services store next to the compose file."
            checked={folder}
            onChange={({ target }) => setFolder(target.checked)}
          />
        )}
        {!leave && volumes && <Volumes volumes={volumes} chosen={chosen} onChoose={choose} />}
      </div>
    </ConfirmDialog>
  )
}

const isOutOfReach = (error: unknown) =>
  error instanceof ApiError && /^(server_(unreachable|refused|slow|failed)|host_key_)/.test(error.code ?? '')

/** Returns volumes with their names immediately, and with their sizes once the server has measured them. */
function useVolumes(id: string, reached: boolean) {
  const { data: named } = useQuery(volumesQuery(id))
  const { data: measured } = useQuery({ ...volumesQuery(id, true), enabled: reached })
  return measured ?? named
}

interface VolumesProps {
  volumes: readonly ApplicationVolume[]
  chosen: ReadonlySet<string>
  onChoose: (name: string, on: boolean) => void
}

/** Several services may mount the same volume, so list each volume once. */
function onceEach(volumes: readonly ApplicationVolume[]) {
  const named = volumes.flatMap((volume) => (volume.name === null ? [] : [{ ...volume, name: volume.name }]))
  const first = named.filter(({ name }, at) => named.findIndex((other) => other.name === name) === at)
  return first.map((volume) => {
    const same = named.filter(({ name }) => name === volume.name)
    return { ...volume, services: volume.services && same.flatMap(({ services }) => services ?? []) }
  })
}

/** Only Docker volumes can be deleted; host folders stay. */
function Volumes({ volumes, chosen, onChoose }: VolumesProps) {
  const named = onceEach(volumes)
  if (named.length === 0) return null
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2">Volumes are kept unless you select them:</legend>
      {named.map(({ id, name, source, size_bytes: size, ...volume }) => (
        <Checkbox
          key={id}
          label={`Delete volume ${source}`}
          help={`${formatMount(volume)}${size === null ? '' : ` (${formatBytes(size)})`}. Its data is deleted.`}
          checked={chosen.has(name)}
          onChange={({ target: box }) => onChoose(name, box.checked)}
        />
      ))}
    </fieldset>
  )
}

function formatMount({ services, target }: Pick<ApplicationVolume, 'services' | 'target'>): string {
  if (services === null) return `Mounted at ${target}`
  return services.length === 0 ? 'Unused' : `Used by ${formatList(services)}`
}

interface DeleteRequest {
  volumes: readonly string[]
  folder: boolean
  leave: boolean
}

function useDelete(id: string, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ volumes, folder, leave }: DeleteRequest) => {
      const flags = { folder: String(folder), leave: String(leave) }
      const query = { volumes: volumes.join(',') || undefined, ...flags }
      return callApi('DELETE /v1/applications/{id}', { params: { id }, query })
    },
    onSuccess: () => {
      // Leave the page before invalidating, because the page would refetch the deleted application.
      onDone()
      return client.invalidateQueries({ queryKey: ['applications', 'list'] })
    },
  })
}
