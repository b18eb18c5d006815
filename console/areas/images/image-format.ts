import { formatBytes } from '../../../contract/shared/bytes.ts'
import type { Image, Pull } from './queries.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

/** Shortens an image ID to 12 characters, as Docker does. */
export const shortImageId = (id: string) => id.replace('sha256:', '').slice(0, 12)

export const imageTitle = ({ id, tags }: Pick<Image, 'id' | 'tags'>) => tags[0] ?? shortImageId(id)

type Layer = Pull['layers'][number]

/** Returns the downloaded bytes. Extraction starts after the download, so later statuses count in full. */
const come = ({ status, current, total }: Layer) =>
  status === 'waiting' || status === 'downloading' ? current : (total ?? 0)

export const pullProgress = (layers: readonly Layer[]) => ({
  current: layers.reduce((sum, layer) => sum + come(layer), 0),
  total: layers.reduce((sum, layer) => sum + (layer.total ?? 0), 0),
})

export const layerStatusLabels: Record<Layer['status'], string> = {
  waiting: 'Waiting',
  downloading: 'Downloading',
  extracting: 'Extracting',
  done: 'Done',
}

export function formatPullStatus({
  status,
  layers,
  error,
}: Pick<Pull, 'status' | 'layers' | 'error'>): string {
  if (status === 'queued') return error ?? 'Queued'
  if (status === 'completed') return 'Pulled'
  if (status === 'cancelled') return 'Canceled'
  if (status === 'failed') return error ?? 'Failed'
  if (layers.length === 0) return 'Contacting the registry'
  const done = layers.filter((layer) => layer.status === 'done').length
  const { current, total } = pullProgress(layers)
  const bytes = total > 0 ? ` · ${formatBytes(current)} of ${formatBytes(total)}` : ''
  return `${done} of ${formatCount(layers.length, 'layer')}${bytes}`
}

const day = 86_400_000

/** Failures are shown as a reminder and not as an archive, so the list is short. */
const maxFailed = 3

/**
 * Returns pulls in progress and pulls of the last day that failed and were not retried. Dismissing a failure does not
 * bring up an older one.
 */
export function visiblePulls(pulls: readonly Pull[], now: number, hidden: readonly string[]): Pull[] {
  const seen = new Set<string>()
  let failed = 0
  return pulls.filter(({ id, image, status, created_at: at }) => {
    const isLatest = !seen.has(image)
    seen.add(image)
    if (status === 'queued' || status === 'running') return true
    if (status !== 'failed' || !isLatest || now - Date.parse(at) >= day) return false
    failed += 1
    return failed <= maxFailed && !hidden.includes(id)
  })
}

const maxNames = 3

export function imageNames({ id, tags }: Pick<Image, 'id' | 'tags'>) {
  const names = tags.length === 0 ? [shortImageId(id)] : tags
  // A counter for a single name would save no space, so show that name instead.
  const shown = names.length === maxNames + 1 ? names.length : maxNames
  return {
    first: names.slice(0, shown),
    more: Math.max(0, names.length - shown),
    all: names.join(', '),
  }
}
