import type { Log } from '../platform/log.ts'

/**
 * One after the other: a heartbeat must not find a job leased of which the claim has not told us yet. What goes
 * wrong is tried again by the next poll.
 */
export function createSerialQueue(log: Log) {
  let last = Promise.resolve()
  let troubled = false
  const onceMore = (error: unknown) => {
    if (!troubled) log.warn({ reason: String(error) }, 'The worker cannot use the database. Trying again.')
    troubled = true
  }
  return (work: () => Promise<void>) => {
    last = last
      .then(work)
      .then(() => void (troubled = false))
      .catch(onceMore)
    return last
  }
}
