import type { Pair } from '../../../contract/entries.ts'
import { type Finish, removeDetached, runDetached, type Work } from '../../remote/detached.ts'
import { Lines } from '../../remote/detached/lines.ts'
import type { Host } from '../../remote/host.ts'
import { readLines } from '../outputs/output.ts'
import { type Attempt, hostFor } from './attempt.ts'
import { withoutValues } from './environment.ts'

interface How {
  /** Of each line in the log: it tells what says it. */
  prefix: string
  /** What never stands in the log. */
  secrets: readonly Pair[]
}

/** How it ended, and all that it said. */
export interface Followed {
  finish: Finish
  lines: string[]
}

/** How many of its last lines are told with why it failed. */
export const wordsTold = 10

/** A server that lost its power in the middle gets one more chance. */
const second = (id: string) => `${id}-2`

/** Follows it; where the server was restarted in the middle it is begun once more. */
export async function runTwice(attempt: Attempt, work: Work, how: How): Promise<Followed> {
  const again = { ...work, id: second(work.id) }
  if (attempt.log.reached(again.id) === 0) {
    const first = await followWork(attempt, work, how)
    if (first.finish.why !== 'vanished') return first
    attempt.log.say(`${attempt.server.name} was restarted in the middle of this. Beginning again.`)
  }
  return followWork(attempt, again, how)
}

/** Ends both, and forgets what they said. Safe to do again. */
export async function endRuns(host: Host, id: string): Promise<void> {
  await removeDetached(host, id)
  await removeDetached(host, second(id))
}

/**
 * Work on the server, to its end. It goes on without the connection and without Slipway; how far it was told is written
 * with each line, so whoever follows it again goes on behind the last one.
 */
async function followWork(attempt: Attempt, work: Work, { prefix, secrets }: How): Promise<Followed> {
  const { log, signal } = attempt
  const from = { stdout: log.reached(work.id), stderr: 0 }
  const cut = new Lines(from)
  const lines = from.stdout > 0 ? await linesBefore(attempt, prefix) : []
  const leave = new AbortController()
  const pieces = runDetached(hostFor(attempt), work, from, AbortSignal.any([signal, leave.signal]))
  try {
    for (;;) {
      const next = await pieces.next()
      const said = (next.done ? cut.end() : cut.add(next.value))
        .split('\n')
        .filter((one) => one.trim() !== '')
      const safe = said.map((line) => withoutValues(line, secrets))
      lines.push(...safe)
      if (safe.length > 0)
        log.hear('stdout', safe.map((line) => `${prefix}${line}\n`).join(''), {
          work: work.id,
          offset: cut.reached.stdout_offset,
        })
      await log.room()
      if (next.done) return { finish: next.value, lines }
    }
  } finally {
    leave.abort()
  }
}

/** What was told by whoever followed it before. */
async function linesBefore({ ctx, deployment, log }: Attempt, prefix: string): Promise<string[]> {
  await log.flush()
  const all = await readLines(ctx.db, deployment.workspace_id, deployment.id)
  return all.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length))
}
