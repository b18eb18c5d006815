import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { toast } from 'sonner'
import { useDialog } from '../../lib/use-dialog.ts'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { Dialog, DialogActions, DialogClose, DialogFooter } from '../../ui/dialog.tsx'
import { Radio } from '../../ui/form/checkbox.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { imageNames, imageTitle } from './image-format.ts'
import { type Image, type PrunePreview, pruneQuery, usePruneImages, useRemoveImage } from './queries.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'
import { type ContainerLink, UsedBy } from './image-columns.tsx'
import { ErrorText } from '../../ui/problem.tsx'

export function PruneDialog({ serverId, free }: Omit<PruneFormProps, 'onClose'>) {
  const { dialog, close } = useDialog()
  return dialog === 'prune' ? <PruneForm serverId={serverId} free={free} onClose={close} /> : null
}

interface PruneFormProps {
  serverId: string
  free: ReactNode
  onClose: () => void
}

export function PruneForm({ serverId, free, onClose }: PruneFormProps) {
  const [all, setAll] = useState(false)
  const preview = useQuery(pruneQuery(serverId, all))
  const prune = usePruneImages(serverId)
  const count = preview.data?.images.length ?? 0

  function confirm() {
    prune.mutate(all, {
      onSuccess: ({ images, bytes }) => {
        toast.success(`${formatCount(images.length, 'image')} removed, up to ${formatBytes(bytes)} freed`)
        onClose()
      },
    })
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Prune images"
      description="Remove images that no container uses."
    >
      {free}
      <fieldset className="flex flex-col gap-3">
        <legend className="sr-only">Images to remove</legend>
        <Radio
          name="which"
          label="Untagged only"
          help="Images without tags, such as old build results."
          checked={!all}
          onChange={() => setAll(false)}
        />
        <Radio
          name="which"
          label="All unused"
          help="Includes tagged images. Images built on this server cannot be pulled again."
          checked={all}
          onChange={() => setAll(true)}
        />
      </fieldset>
      <Preview query={preview} />
      <DialogFooter
        danger
        disabled={count === 0 || preview.error !== null}
        pending={prune.isPending && 'Removing…'}
        onClick={confirm}
      >
        {count === 0 ? 'Remove' : `Remove ${formatCount(count, 'image')}`}
      </DialogFooter>
    </Dialog>
  )
}

function Preview({ query }: { query: UseQueryResult<PrunePreview> }) {
  const { data, error } = query
  if (error && !data) return <ErrorText error={error} />
  if (!data) return <Skeleton className="h-14" />
  if (data.images.length === 0)
    return <p className="rounded-md bg-subtle px-3 py-2.5 text-muted">Nothing to remove</p>
  const together = data.images.reduce((sum, image) => sum + image.size_bytes, 0)
  return (
    <div aria-live="polite" className="flex flex-col gap-1.5 rounded-md bg-subtle px-3 py-2.5">
      <p className="font-medium tabular-nums">
        Removing {formatCount(data.images.length, 'image')} frees up to {formatBytes(data.bytes)}.
      </p>
      {data.bytes < together && (
        <p className="text-sm text-muted">Layers shared with other images are not freed.</p>
      )}
      <ul aria-label="Images to be removed" className="max-h-40 overflow-y-auto text-sm text-muted">
        {data.images.map((image) => (
          <li key={image.id} className="flex justify-between gap-4 py-0.5">
            <Names image={image} />
            <span className="shrink-0 tabular-nums">{formatBytes(image.size_bytes)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Names({ image }: { image: Pick<Image, 'id' | 'tags'> }) {
  const { first, more, all } = imageNames(image)
  return (
    <span className="flex min-w-0 flex-col text-xs leading-5" title={all}>
      {first.map((name) => (
        <span key={name} className="truncate font-mono" dir="ltr">
          {name}
        </span>
      ))}
      {more > 0 && <span>+{more} more</span>}
    </span>
  )
}

interface RemoveImageDialogProps {
  serverId: string
  image: Image
  linkTo: ContainerLink
  onClose: () => void
}

/** Docker refuses to remove an image in use, so the dialog lists the containers instead. */
export function RemoveImageDialog({ serverId, image, linkTo, onClose }: RemoveImageDialogProps) {
  const remove = useRemoveImage(serverId)
  const name = imageTitle(image)
  if (image.used_by.length > 0)
    return (
      <Dialog open onOpenChange={onClose} title={`${name} is in use`}>
        <p className="text-muted">
          {image.used_by.length === 1 ? 'This container uses' : 'These containers use'} the image. Remove the{' '}
          {image.used_by.length === 1 ? 'container' : 'containers'} first.
        </p>
        <div className="max-h-60 overflow-y-auto">
          <UsedBy containers={image.used_by} linkTo={linkTo} />
        </div>
        <DialogActions>
          <DialogClose>Close</DialogClose>
        </DialogActions>
      </Dialog>
    )

  return (
    <ActionDialog
      title={`Remove ${name}?`}
      action="Remove image"
      mutation={remove}
      input={image}
      pending="Removing…"
      done="Image removed"
      onClose={onClose}
    >
      {image.tags.length > 1 && (
        <p>
          All its tags are removed: <span className="font-mono text-sm">{image.tags.join(', ')}</span>.
        </p>
      )}
      <p>The image is removed from this server. You can pull it again if its registry still has it.</p>
    </ActionDialog>
  )
}
