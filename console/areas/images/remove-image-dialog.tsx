import { toast } from 'sonner'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { type ContainerLink, UsedBy } from './image-columns.tsx'
import { imageTitle } from './image-format.ts'
import { type Image, useRemoveImage } from './queries.ts'

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
          {image.used_by.length === 1 ? 'This container uses' : 'These containers use'} the image. Remove{' '}
          {image.used_by.length === 1 ? 'it' : 'them'} first.
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
        toast.success('Image removed')
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
          All its tags are removed: <span className="font-mono text-sm">{image.tags.join(', ')}</span>.
        </p>
      )}
      <p>The image is removed from this server only. You can pull it again while its registry has it.</p>
    </ConfirmDialog>
  )
}
