import { bytesInWords } from '../../ui/format/bytes.ts'
import type { Image, Pull } from './queries.ts'

/** As Docker shows it: twelve characters are enough to tell any two apart. */
export const shortImageId = (id: string) => id.replace('sha256:', '').slice(0, 12)

/** What people call it. */
export const imageTitle = ({ id, tags }: Pick<Image, 'id' | 'tags'>) => tags[0] ?? shortImageId(id)

type Layer = Pull['layers'][number]

/** How much of a layer has come; it is all there before it is unpacked. */
const come = ({ status, current, total }: Layer) =>
  status === 'waiting' || status === 'downloading' ? current : (total ?? 0)

/** What has come of all that is known to come, in bytes. */
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

/** Where a pull is, in a few words. */
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
  const bytes = total > 0 ? ` · ${bytesInWords(current)} of ${bytesInWords(total)}` : ''
  return `${done} of ${layers.length} ${layers.length === 1 ? 'layer' : 'layers'}${bytes}`
}

const day = 86_400_000

/** Failures are a reminder and no archive. */
const mostFailed = 3

/**
 * Those under way, and the newest of those that failed within a day and were not tried again since. No older one takes
 * the place of one that is hidden.
 */
export function pullsToShow(pulls: readonly Pull[], now: number, hidden: readonly string[]): Pull[] {
  const seen = new Set<string>()
  let failed = 0
  return pulls.filter(({ id, image, status, created_at: at }) => {
    const isLatest = !seen.has(image)
    seen.add(image)
    if (status === 'queued' || status === 'running') return true
    if (status !== 'failed' || !isLatest || now - Date.parse(at) >= day) return false
    failed += 1
    return failed <= mostFailed && !hidden.includes(id)
  })
}

const mostNames = 3

/** What an image is listed by: its first names, how many more it has, and all of them in one line. */
export function imageNames({ id, tags }: Pick<Image, 'id' | 'tags'>) {
  const names = tags.length === 0 ? [shortImageId(id)] : tags
  // A single one takes no more room than to say so.
  const shown = names.length === mostNames + 1 ? names.length : mostNames
  return {
    first: names.slice(0, shown),
    more: Math.max(0, names.length - shown),
    all: names.join(', '),
  }
}

/** "3 images", "1 image" */
export const formatImageCount = (count: number) => `${count} ${count === 1 ? 'image' : 'images'}`
