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
  log.say(`Commit ${sha.slice(0, 7)}${message ? `: ${message}` : ''}${author ? ` (${author})` : ''}`)
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
    return `Fetching ${what} on ${server} timed out after ${minutes} minutes. Check the connection from the server to GitHub, or make the repository smaller; then deploy again.`
  if (why === 'vanished')
    return `${server} was restarted twice while fetching ${what}. Find out why it restarts, then deploy again.`
  if (why === 'cancelled') return `Fetching ${what} was canceled on ${server}. Deploy again.`
  if (code === ended.noGit) return `git is not installed on ${server}. Install it, then deploy again.`
  if (code === ended.noLfs)
    return `git-lfs is not installed on ${server}. Install it, or turn off Git LFS in the settings; then deploy again.`
  if (code === ended.diskFull || /no space left on device/i.test(text))
    return `Fetching ${what} was stopped: the disk of ${server} is almost full. Free up space or add disk space, then deploy again.`
  if (unkept.test(text))
    return `GitHub does not have a Git LFS file of ${what}. Push it with \`git lfs push --all origin\`, then deploy again.`
  if (gone.test(text))
    return `Commit ${sha.slice(0, 7)} no longer exists in ${repository}: it was replaced by a force push. Deploy again to build the latest commit.`
  if (hidden.test(text))
    return `Slipway has no access to ${repository} on GitHub. Grant it access to the repository and its submodules, then deploy again.`
  if (killed.test(text))
    return `Fetching ${what} was killed on ${server}, probably out of memory (limit ${aboutBytes(memory)}). Raise the build memory in the settings, or make the repository smaller; then deploy again.`
  const said = lines.findLast((line) => failure.test(line))?.replace(failure, '')
  return `Fetching ${what} failed on ${server}${said ? `: ${said.replace(/\.?$/, '.')}` : ` with exit code ${code}.`} Check that the server can reach GitHub, then deploy again.`
}

const unkept = /object does not exist on the server/i
const gone = /not our ref|unadvertised object|bad object|reference is not a tree/i
const hidden =
  /repository not found|repository '[^']*' not found|authentication failed|could not read username|returned error: 40[13]/i
const killed = /died of signal 9|^killed$/im
const failure = /^(?:fatal|error|remote): /
