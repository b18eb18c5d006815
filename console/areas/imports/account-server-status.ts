import type { Tone } from '../../ui/badge.tsx'
import { matchesTerm } from '../../lib/matches-term.ts'
import type { AccountServer } from './queries.ts'

const labels: Record<AccountServer['status'], [tone: Tone, word: string]> = {
  running: ['green', 'Running'],
  starting: ['yellow', 'Starting'],
  stopped: ['neutral', 'Stopped'],
  deleted: ['neutral', 'Deleted'],
  unknown: ['yellow', 'Unknown'],
}

export const accountServerStatusLabel = (status: AccountServer['status']) => labels[status]

export function importObstacle({ status, address, server }: AccountServer): string | undefined {
  if (server) return 'Already imported'
  if (status === 'stopped' || status === 'deleted') return 'Powered off'
  return address === null ? 'No public address' : undefined
}

export const matchesAccountServer = (
  { name, address, type, region, image, server }: AccountServer,
  q: string,
) =>
  matchesTerm(
    q,
    name,
    ...[address, type, region, image, server?.name].filter((text) => typeof text === 'string'),
  )
