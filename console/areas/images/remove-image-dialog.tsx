import { toast } from 'sonner'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { type ContainerLink, UsedBy } from './image-columns.tsx'
import { nameOf } from './image-words.ts'
import { type Image, useRemoveImage } from './queries.ts'

interface RemoveImageDialogProps {
  serverId: string
  image: Image
  linkTo: ContainerLink
  onClose: () => void
}

/** One that is in use stays: Docker would refuse it, so it is said before. */
export function RemoveImageDialog({ serverId, image, linkTo, onClose }: RemoveImageDialogProps) {
  const remove = useRemoveImage(serverId)
  const name = nameOf(image)
  if (image.used_by.length > 0)
    return (
      <Dialog open onOpenChange={onClose} title={`${name} is in use`}>
        <p className="text-muted">
          {image.used_by.length === 1 ? 'This container was' : 'These containers were'} made of it. Remove{' '}
          {image.used_by.length === 1 ? 'it' : 'them'} first, then the image.
        </p>
        <div className="max-h-60 overflow-y-auto">
          <UsedBy containers={image.used_by} linkTo={linkTo} />
        </div>
        <DialogActions>
          <DialogClose asChild>
            <Button>Close</Button>
          </DialogClose>
        </DialogActions>
      </Dialog>
    )

  function confirm() {
    remove.mutate(image, {
      onSuccess: () => {
        toast.success(`${name} was removed.`)
        onClose()
      },
    })
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Remove ${name}?`}
      action="Remove image"
      pending={remove.isPending && 'Removing…'}
      onConfirm={confirm}
    >
      {image.tags.length > 1 && (
        <p>
          All its names go with it: <span className="font-mono text-sm">{image.tags.join(', ')}</span>.
        </p>
      )}
      <p>It goes from this server only. It can be pulled again for as long as its registry has it.</p>
    </ConfirmDialog>
  )
}
