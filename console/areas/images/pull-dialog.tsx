import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type TypedField, useForm } from '../../lib/form/use-form.ts'
import { isNotFound } from '../../lib/http/api-error.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { Dialog, DialogActions, DialogClose, DialogFooter } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import {
  CancelPullButton,
  EditNameButton,
  initialImageName,
  PullLayers,
  PullProgress,
  RetryPullButton,
} from './pull-actions.tsx'
import { isPullInProgress, type Pull, pullQuery, usePullImage } from './queries.ts'
import { AddressText } from '../../lib/address.tsx'

interface PullDialogProps {
  serverId: string
  operates: boolean
  renderImage: (field: TypedField) => ReactNode
}

/** The dialog is open while the parameter `dialog` is `pull-image`, optionally with an image name, or the ID of a pull. */
export function PullDialog({ serverId, operates, renderImage }: PullDialogProps) {
  const { dialog, open, close } = useDialog()
  const name = initialImageName(dialog)
  if (name !== undefined && operates)
    return <PullForm key={name} {...{ serverId, name, renderImage }} onBegun={open} onClose={close} />
  if (dialog.startsWith('pul_'))
    return <PullDetails key={dialog} {...{ serverId, operates }} id={dialog} onOpen={open} onClose={close} />
  return null
}

interface AskProps extends Pick<PullDialogProps, 'serverId' | 'renderImage'> {
  name: string
  onBegun: (id: string) => void
  onClose: () => void
}

function PullForm({ serverId, name, renderImage, onBegun, onClose }: AskProps) {
  const pull = usePullImage(serverId)
  const [typed, setTyped] = useState(name)
  const { form, errors, pending } = useForm({ image: 'required' }, async ({ image }) => {
    onBegun((await pull.mutateAsync(image)).id)
  })
  return (
    <Dialog open wide holds onOpenChange={onClose} title="Pull image">
      <form {...form} className="flex flex-col gap-4">
        {renderImage({ name: 'image', value: typed, onChange: setTyped, error: errors['image'] })}
        <DialogFooter pending={pending && 'Starting…'}>Pull image</DialogFooter>
      </form>
    </Dialog>
  )
}

interface OnePullProps {
  serverId: string
  operates: boolean
  id: string
  onOpen: (dialog: string) => void
  onClose: () => void
}

/** Closing the dialog does not stop the pull. */
function PullDetails({ serverId, operates, id, onOpen, onClose }: OnePullProps) {
  const { data: pull, error } = useQuery(pullQuery(serverId, id))
  return (
    <Dialog open wide onOpenChange={onClose} title={pull ? titleOf(pull) : 'Image pull'}>
      {!pull && !error && <Skeleton className="h-24" />}
      {!pull && error && (
        <p className="text-muted">
          <AddressText>
            {isNotFound(error)
              ? 'Pull not found. The pull expired or the server was deleted.'
              : error.message}
          </AddressText>
        </p>
      )}
      {pull && (
        <>
          {pull.status === 'failed' ? (
            <Notice tone="red" title="Pull failed">
              {pull.error}
            </Notice>
          ) : (
            <PullProgress pull={pull} />
          )}
          <PullLayers layers={pull.layers} />
        </>
      )}
      <DialogActions>
        {operates && pull && isPullInProgress(pull) && <CancelPullButton serverId={serverId} pull={pull} />}
        {operates && pull?.status === 'failed' && (
          <>
            <EditNameButton pull={pull} onOpen={onOpen} />
            <RetryPullButton serverId={serverId} pull={pull} onBegun={onOpen} />
          </>
        )}
        <DialogClose variant={pull?.status === 'completed' ? 'primary' : 'secondary'}>
          {pull?.status === 'completed' ? 'Done' : 'Close'}
        </DialogClose>
      </DialogActions>
    </Dialog>
  )
}

function titleOf({ status, image }: Pull): string {
  if (status === 'completed') return `Pulled ${image}`
  if (status === 'cancelled') return `Canceled pull of ${image}`
  return status === 'failed' ? image : `Pulling ${image}`
}
