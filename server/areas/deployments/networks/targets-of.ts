import type { Db } from '../../../tables.ts'
import { type Attempt, releaseOf } from '../run/attempt.ts'
import { listTargets, type Target } from '../containers/routed.ts'

/** Where the proxy leads what comes to a service: its addresses, and the ports that its file names. */
export async function targetsOf(
  attempt: Attempt,
  service: string,
  db: Db = attempt.ctx.db,
): Promise<Target[]> {
  const all = (await listTargets(db, attempt.application)).filter((one) => one.service === service)
  const named = releaseOf(attempt).config.services?.find(({ name }) => name === service)
  if (!named) return all
  // The rows of its ports are those of what runs until it takes their place.
  return [
    ...all.filter(({ kind }) => kind === 'address'),
    ...named.ports.map(({ source, target }) => ({
      service,
      kind: 'port' as const,
      port: target,
      from: `the published port ${source}`,
      generated: false,
    })),
  ]
}
