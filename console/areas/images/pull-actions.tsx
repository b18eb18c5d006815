import { Button } from '../../ui/button.tsx'
import { type Pull, useCancelPull, usePullImage } from './queries.ts'

export function CancelPullButton({ serverId, pull }: { serverId: string; pull: Pull }) {
  const cancel = useCancelPull(serverId, pull.id)
  return (
    <Button
      aria-label={`Cancel the pull of ${pull.image}`}
      pending={cancel.isPending && 'Canceling…'}
      onClick={() => cancel.mutate()}
    >
      Cancel pull
    </Button>
  )
}

interface RetryPullProps {
  serverId: string
  pull: Pull
  onBegun?: (id: string) => void
}

export function RetryPullButton({ serverId, pull, onBegun }: RetryPullProps) {
  const again = usePullImage(serverId)
  return (
    <Button
      aria-label={`Retry the pull of ${pull.image}`}
      pending={again.isPending && 'Starting…'}
      onClick={() => again.mutate(pull.image, { onSuccess: ({ id }) => onBegun?.(id) })}
    >
      Retry
    </Button>
  )
}

/** The dialog in the URL, optionally followed by a colon and an image name. */
const asking = 'pull-image'

/** The initial image name from the URL; undefined for other dialogs. */
export function initialImageName(dialog: string): string | undefined {
  if (dialog === asking) return ''
  return dialog.startsWith(`${asking}:`) ? dialog.slice(asking.length + 1) : undefined
}

export function EditNameButton({ pull, onOpen }: { pull: Pull; onOpen: (dialog: string) => void }) {
  return (
    <Button aria-label={`Edit name ${pull.image} and pull`} onClick={() => onOpen(`${asking}:${pull.image}`)}>
      Edit name
    </Button>
  )
}
