import type { Tone } from '../../ui/badge.tsx'
import { formatPrice } from '../../../contract/shared/money.ts'
import type { Cloud } from './creation/creation-steps.ts'
import type { Server } from './queries.ts'

const labels: Record<Cloud['status'], [tone: Tone, word: string]> = {
  running: ['green', 'Running'],
  starting: ['yellow', 'Starting'],
  stopped: ['red', 'Powered off'],
  deleted: ['red', 'Deleted'],
  unknown: ['yellow', 'Unknown'],
}

export const cloudStatusLabel = (status: Cloud['status']) => labels[status]

export const formatMonthlyCost = (cloud: Pick<Cloud, 'price'>) =>
  cloud.price === null ? undefined : `${formatPrice(cloud.price)} a month`

export function remainingCostNote(cloud: Server['cloud']): string {
  if (!cloud) return ''
  const cost = formatMonthlyCost(cloud)
  const billing = cost === undefined ? 'billed' : `cost ${cost}`
  return `Resources left at ${cloud.provider_name} are kept and ${billing} until you delete them there.`
}

export type Drift = Cloud['drift'][number]

export const isBlockingDrift = (kind: Drift['kind']) => ['deleted', 'stopped', 'moved'].includes(kind)

export const findBlockingDrift = ({ cloud }: Pick<Server, 'cloud'>) =>
  cloud?.drift.find(({ kind }) => isBlockingDrift(kind))?.text
