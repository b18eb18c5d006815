import { Button } from '../../ui/button.tsx'
import { type Pull, useCancelPull, usePullImage } from './queries.ts'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { formatPullStatus, layerStatusLabels, pullProgress } from './image-format.ts'

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

/** The dialog parameter may end with a colon and an image name, so that a link can fill in the name. */
const asking = 'pull-image'

/** Returns the initial image name from the URL; undefined for other dialogs. */
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

export function PullProgress({ pull }: { pull: Pull }) {
  const { current, total } = pullProgress(pull.layers)
  const isDone = pull.status === 'completed'
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar
        label={`Pulling ${pull.image}`}
        current={isDone ? 1 : current}
        total={isDone ? 1 : total || null}
        tone={isDone ? 'green' : 'accent'}
      />
      <p className="text-sm text-muted tabular-nums wrap-anywhere">{formatPullStatus(pull)}</p>
    </div>
  )
}

export function PullLayers({ layers }: Pick<Pull, 'layers'>) {
  if (layers.length === 0) return null
  return (
    <ul
      aria-label="Layers"
      className="flex max-h-72 flex-col divide-y divide-line overflow-y-auto rounded-md border border-line"
    >
      {layers.map((layer) => (
        <li
          key={layer.id}
          className="grid grid-cols-[6.5rem_1fr_auto] items-center gap-x-3 px-3 py-2 text-sm max-sm:grid-cols-[1fr_auto]"
        >
          <span className="font-mono text-xs">{layer.id}</span>
          <div className="max-sm:col-span-2 max-sm:row-start-2 max-sm:pt-1.5">
            <ProgressBar thin {...barOf(layer)} label={`Layer ${layer.id}`} />
          </div>
          <span className="min-w-36 text-right whitespace-nowrap text-muted tabular-nums">
            {layerStatusLabels[layer.status]}
            {layer.status !== 'waiting' && layer.total !== null && ` · ${formatBytes(layer.total)}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

function barOf({ status, current, total }: Pull['layers'][number]) {
  if (status === 'done') return { current: 1, total: 1, tone: 'green' as const }
  return { current, total }
}
