import type { z } from 'zod'
import type { pull } from '../../../contract/images.ts'

export type PullLayer = z.infer<typeof pull>['layers'][number]

/** A line of what Docker says while it pulls. */
export interface PullMessage {
  id?: string | undefined
  status?: string | undefined
  progressDetail?: { current?: number | undefined; total?: number | undefined } | undefined
  error?: string | undefined
}

const statuses: Record<string, PullLayer['status']> = {
  'Pulling fs layer': 'waiting',
  Waiting: 'waiting',
  Downloading: 'downloading',
  'Verifying Checksum': 'downloading',
  'Download complete': 'downloading',
  Extracting: 'extracting',
  'Pull complete': 'done',
  'Already exists': 'done',
}

const statusOf = (said = '') => (said.startsWith('Retrying in ') ? 'waiting' : statuses[said])

/** How far each layer is, by what Docker has said so far. */
export function createPullProgress() {
  const layers = new Map<string, PullLayer>()
  const waitingForOthers = new Set<string>()
  return {
    /** Whether it was news. */
    hear({ id, status: words, progressDetail: detail }: PullMessage): boolean {
      const status = statusOf(words)
      if (id === undefined || status === undefined) return false
      if (words === 'Waiting') waitingForOthers.add(id)
      else waitingForOthers.delete(id)
      const before = layers.get(id)
      const total = detail?.total && detail.total > 0 ? detail.total : (before?.total ?? null)
      const current = detail?.current ?? (status === 'waiting' ? 0 : (total ?? 0))
      layers.set(id, { id, status, current, total })
      return true
    },
    layers: () => [...layers.values()],
    /** All that is left waits for other pulls on the server, of which it hears nothing. */
    isBehindOthers() {
      const left = [...layers.values()].filter(({ status }) => status !== 'done')
      return left.length > 0 && left.every(({ id }) => waitingForOthers.has(id))
    },
  }
}
