import { type DetachedResult, removeDetached, type DetachedProcess } from '../../../remote/detached.ts'
import type { Host } from '../../../remote/host.ts'
import type { DeploymentRun } from './deployment-run.ts'
import {
  followDetachedWork,
  type OutputOptions,
  stopFollowing,
  readFollowedOffset,
  logOutputUntil,
} from './followed-work.ts'

export interface FinishedWork {
  finish: DetachedResult
  lines: string[]
}

/** Number of last log lines attached to an error. */
export const errorLogLines = 10

/** Work that a server restart interrupted is run once more under this ID. */
export const secondRunId = (id: string) => `${id}-2`

export const logRestart = ({ server, log }: DeploymentRun) =>
  log.write(`${server.name} was restarted during the build. Starting over.`)

/** Runs the work to its end, and once more if the server was restarted meanwhile. */
export async function runWithOneRetry(
  attempt: DeploymentRun,
  work: DetachedProcess,
  options: OutputOptions,
): Promise<FinishedWork> {
  const again = { ...work, id: secondRunId(work.id) }
  if (readFollowedOffset(attempt, again.id, options).offset === 0) {
    const first = await runOnce(attempt, work, options)
    if (first.finish.reason !== 'vanished') return first
    logRestart(attempt)
  }
  return runOnce(attempt, again, options)
}

async function runOnce(
  attempt: DeploymentRun,
  work: DetachedProcess,
  options: OutputOptions,
): Promise<FinishedWork> {
  const following = await followDetachedWork(attempt, work, options)
  try {
    await logOutputUntil(attempt, following)
  } finally {
    await stopFollowing(following)
  }
  const { finish, lines } = following
  if (!finish) throw new Error('It is followed until it ends.')
  return { finish, lines: lines.flat() }
}

/** Stops both runs and deletes their output. Idempotent. */
export async function removeRuns(host: Host, id: string): Promise<void> {
  await removeDetached(host, id)
  await removeDetached(host, secondRunId(id))
}
