import { Badge, type Tone } from '../../ui/badge.tsx'
import type { Server } from './queries.ts'

const labels: Record<Server['status'], [tone: Tone, word: string]> = {
  failed: ['red', 'Failed'],
  unreachable: ['red', 'Unreachable'],
  setting_up: ['yellow', 'Setting up'],
  provisioning: ['yellow', 'Provisioning'],
  pending: ['yellow', 'Pending'],
  ready: ['green', 'Ready'],
  deleting: ['yellow', 'Deleting'],
}

const known = Object.entries(labels)

/** A newer API may report unknown statuses, which are shown as they are. */
export function serverStatusLabel(status: string): [tone: Tone, word: string] {
  const entry = known.find(([name]) => name === status)
  return entry?.[1] ?? ['yellow', status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' ')]
}

export const serverUrgency = (status: string) => known.findIndex(([name]) => name === status)

/** Returns why data of an unreachable server is outdated, without waiting for a request to time out. */
export const unreachableReason = (server: Pick<Server, 'status' | 'reason'> | undefined) =>
  server?.status === 'unreachable' ? (server.reason ?? '') : undefined

export function ServerBadge({ status }: { status: string }) {
  const [tone, word] = serverStatusLabel(status)
  return <Badge tone={tone}>{word}</Badge>
}
