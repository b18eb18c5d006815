import { formatBytes } from '../../../contract/shared/bytes.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'
import type { Server } from './queries.ts'
import { serverStatusLabel } from './server-status.tsx'

/** Returns why no application can be deployed to the server; undefined if one can. */
export function deployObstacle({ status, reason }: Pick<Server, 'status' | 'reason'>): string | undefined {
  if (status === 'ready') return reason ?? undefined
  // A deployment waits for the setup to finish.
  if (status === 'setting_up') return undefined
  return reason ?? `Not ready: ${serverStatusLabel(status)[1].toLowerCase()}.`
}

export const formatMachine = ({ cpus, memory_bytes: memory, architecture }: Server) =>
  [
    architecture,
    cpus !== null && formatCount(cpus, 'CPU'),
    memory !== null && `${formatBytes(memory)} memory`,
  ]
    .filter(Boolean)
    .join(' · ')
