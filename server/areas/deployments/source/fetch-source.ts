import { buildLimits } from '../../applications/review/build-limits.ts'
import { allEnded } from '../run/all-ended.ts'
import { type Attempt, Failed } from '../run/attempt.ts'
import { findSame } from './built-before.ts'
import type { Following } from '../run/following.ts'
import { wordsTold } from '../run/follow-work.ts'
import { findCommit, writeDown } from './resolve-commit.ts'
import { parts, runSource } from './run-source.ts'
import { buildOf, fetchMinutes } from './source-work.ts'
import { aboutBytes } from '../../../platform/text/bytes.ts'
import type { Finish } from '../../../remote/detached.ts'
import { ended } from './source-guard.ts'

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

interface Given {
  server: string
  repository: string
  sha: string
  /** All that was said. */
  lines: readonly string[]
  minutes: number
  /** Bytes that git may take. */
  memory: number
}

/** A sentence that says why a repository was not fetched, and what to do. */
export function whyNotFetched({ why, code }: Finish, given: Given): string {
  const { server, repository, sha, lines, minutes, memory } = given
  const what = `${repository} at ${sha.slice(0, 7)}`
  const text = lines.join('\n')
  if (why === 'timed_out' || code === ended.late)
    return `Fetching ${what} was not through after ${minutes} minutes on ${server} and was ended. See whether the server reaches GitHub well, or make the repository smaller; then deploy again.`
  if (why === 'vanished')
    return `${server} was restarted while ${what} was fetched, and again when that was begun anew. Find out why it restarts, then deploy again.`
  if (why === 'cancelled') return `Somebody ended the fetching of ${what} on ${server}. Deploy again.`
  if (code === ended.noGit)
    return `Fetching a repository needs git, which ${server} does not have. Install it there, then deploy again.`
  if (code === ended.noLfs)
    return `Files kept with Git LFS need git-lfs, which ${server} does not have. Install it there, or turn Git LFS off in the settings; then deploy again.`
  if (code === ended.diskFull || /no space left on device/i.test(text))
    return `The disk of ${server} is nearly full, so fetching ${what} was ended. Free some space there, or give it a larger disk; then deploy again.`
  if (unkept.test(text))
    return `GitHub does not have a file that ${what} keeps with Git LFS: only its name was pushed. Push the file as well (git lfs push --all origin), then deploy again.`
  if (gone.test(text))
    return `GitHub has no commit ${sha.slice(0, 7)} in ${repository} any more: it was replaced by a forced push. Deploy again to build the newest one.`
  if (hidden.test(text))
    return `GitHub does not give ${repository} to Slipway. Give it access to the repository, and to those of its submodules, at GitHub; then deploy again.`
  if (killed.test(text))
    return `Fetching ${what} was killed on ${server}, most likely because its memory ran out (limit ${aboutBytes(memory)}). Allow builds more in the settings, or make the repository smaller; then deploy again.`
  const said = lines.findLast((line) => failure.test(line))?.replace(failure, '')
  return `${what} could not be fetched on ${server}${said ? `: ${said.replace(/\.?$/, '.')}` : `; it ended with ${code}.`} See whether the server reaches GitHub, then deploy again.`
}

const unkept = /object does not exist on the server/i
const gone = /not our ref|unadvertised object|bad object|reference is not a tree/i
const hidden =
  /repository not found|repository '[^']*' not found|authentication failed|could not read username|returned error: 40[13]/i
const killed = /died of signal 9|^killed$/im
const failure = /^(?:fatal|error|remote): /
