import type { Tone } from '../../ui/badge.tsx'
import type { Server } from './queries.ts'

/** In the order of the list: what needs attention comes first. */
const says: Record<Server['status'], [tone: Tone, word: string]> = {
  failed: ['red', 'Failed'],
  unreachable: ['red', 'Unreachable'],
  setting_up: ['yellow', 'Setting up'],
  provisioning: ['yellow', 'Provisioning'],
  pending: ['yellow', 'Pending'],
  ready: ['green', 'Ready'],
  deleting: ['yellow', 'Deleting'],
}

const known = Object.entries(says)

/** A newer server may know states that this page does not; they are told as they come. */
export function serverWord(status: string): [tone: Tone, word: string] {
  const found = known.find(([name]) => name === status)
  return found?.[1] ?? ['yellow', status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' ')]
}

/** The lower, the sooner somebody should look; what is unknown comes first. */
export const serverUrgency = (status: string) => known.findIndex(([name]) => name === status)

/** Why nothing on a server can be told as it is now. It is known before a call that waits for an answer has failed. */
export const awayFor = (server: Pick<Server, 'status' | 'reason'> | undefined) =>
  server?.status === 'unreachable' ? (server.reason ?? '') : undefined
