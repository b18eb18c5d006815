import { type Finish, removeDetached, type Work } from '../../../remote/detached.ts'
import type { Host } from '../../../remote/host.ts'
import type { Attempt } from './attempt.ts'
import { follow, type How, leave, reachedOf, tellUntil } from './following.ts'

/** How it ended, and all that it said. */
export interface Followed {
  finish: Finish
  lines: string[]
}

/** How many of its last lines are told with why it failed. */
export const wordsTold = 10

/** A server that lost its power in the middle gets one more chance. */
export const second = (id: string) => `${id}-2`

export const sayAgain = ({ server, log }: Attempt) =>
  log.say(`${server.name} was restarted during the build. Starting over.`)

/** Follows it to its end; where the server was restarted in the middle it is begun once more. */
export async function runTwice(attempt: Attempt, work: Work, how: How): Promise<Followed> {
  const again = { ...work, id: second(work.id) }
  if (reachedOf(attempt, again.id, how).offset === 0) {
    const first = await runOnce(attempt, work, how)
    if (first.finish.why !== 'vanished') return first
    sayAgain(attempt)
  }
  return runOnce(attempt, again, how)
}

async function runOnce(attempt: Attempt, work: Work, how: How): Promise<Followed> {
  const following = await follow(attempt, work, how)
  try {
    await tellUntil(attempt, following)
  } finally {
    await leave(following)
  }
  const { finish, lines } = following
  if (!finish) throw new Error('It is followed until it ends.')
  return { finish, lines: lines.flat() }
}

/** Ends both, and forgets what they said. Safe to do again. */
export async function endRuns(host: Host, id: string): Promise<void> {
  await removeDetached(host, id)
  await removeDetached(host, second(id))
}
