import { buildLimits } from '../applications/build-limits.ts'
import { allEnded } from './all-ended.ts'
import { type Attempt, Failed } from './attempt.ts'
import { findSame } from './built-before.ts'
import type { Following } from './following.ts'
import { wordsTold } from './follow-work.ts'
import { findCommit, writeDown } from './resolve-commit.ts'
import { parts, runSource } from './run-source.ts'
import { buildOf, fetchMinutes } from './source-work.ts'
import { whyNotFetched } from './why-not-fetched.ts'

/** The repository is on the server, as it is at exactly this commit; unless its image is there already. */
export async function fetchSource(attempt: Attempt): Promise<void> {
  const { log } = attempt
  const commit = await findCommit(attempt)
  const { sha, message, author } = commit
  log.say(`Commit ${sha.slice(0, 7)}${message ? `, ${message}` : ''}${author ? `, by ${author}` : ''}.`)
  const same = await findSame(attempt, sha)
  attempt.commit = commit
  const written = attempt.entered.then(() => writeDown(attempt, commit, { isBegun: !same }))
  if (same) return written
  const run = runSource(attempt, { until: parts.build, after: written })
  await allEnded([written, run])
  mustBeFetched(attempt, await run)
}

/** Unless it went on from there: what becomes of the rest is told by the next step. */
export function mustBeFetched(attempt: Attempt, { part, finish, lines }: Following): void {
  if (part !== parts.fetch || !finish) return
  const { server, commit } = attempt
  const build = buildOf(attempt)
  const said = lines[parts.fetch] ?? []
  const why = whyNotFetched(finish, {
    server: server.name,
    repository: build.repository,
    sha: commit?.sha ?? '',
    lines: said,
    minutes: fetchMinutes,
    memory: buildLimits(server, build).memory,
  })
  throw new Failed(why, said.slice(-wordsTold))
}
