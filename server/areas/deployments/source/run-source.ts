import { command, type Command } from '../../../remote/command.ts'
import { findImage } from '../images/image-of.ts'
import { atGitHub } from './ask-ahead.ts'
import { type Attempt, hostFor } from '../run/attempt.ts'
import { buildCommand, secretsOf } from './build-command.ts'
import { follow, type Following, leave, reachedOf, tellUntil } from '../run/following.ts'
import { sayAgain, second } from '../run/follow-work.ts'
import { findImagesFolder } from './images-folder.ts'
import { firstRecipe } from './recipe.ts'
import { patiently } from './resolve-commit.ts'
import { turnSeconds } from './source-guard.ts'
import {
  builtTag,
  buildOf,
  buildWork,
  fetchMinutes,
  mostOutput,
  leastLeft,
  sourceFolder,
} from './source-work.ts'
import { Problem } from '../../../errors.ts'
import { renameRepository } from '../../applications/rename-repository.ts'
import { buildLimits } from '../../applications/review/build-limits.ts'
import { repositoryUrl } from '../../integrations/repository.ts'
import { fetchScript } from './fetch-script.ts'

/** Of the work: two steps follow it, one after the other. */
export const parts = { fetch: 0, build: 1 } as const
const prefixes = ['fetch: ', 'build: '] as const

/**
 * Fetching and building are one piece of work: nobody is asked in between, and nothing is waited for. It is followed until it
 * is in this part, or has ended; where the server was restarted in the middle it is begun once more. Safe to do again.
 */
export async function runSource(
  attempt: Attempt,
  { until, after }: { until?: number; after?: Promise<void> } = {},
): Promise<Following> {
  const id = buildWork(attempt.deployment.id)
  const isSecond = reachedOf(attempt, second(id), { prefixes }).offset > 0
  try {
    attempt.source ??= await begin(attempt, isSecond ? second(id) : id, after)
    await tellUntil(attempt, attempt.source, until)
    const { finish, work } = attempt.source
    if (finish?.why !== 'vanished' || work.id !== id || (await findBuilt(attempt))) return attempt.source
    sayAgain(attempt)
    attempt.source = await begin(attempt, second(id))
    await tellUntil(attempt, attempt.source, until)
    return attempt.source
  } catch (error) {
    if (attempt.source) await leave(attempt.source)
    attempt.source = undefined
    throw error
  }
}

export const findBuilt = (attempt: Attempt) =>
  findImage(hostFor(attempt).docker, builtTag(attempt), attempt.signal)

async function begin(attempt: Attempt, id: string, after?: Promise<void>): Promise<Following> {
  const mark = `${attempt.deployment.id} is fetched.`
  const isBegun = reachedOf(attempt, id, { prefixes }).offset > 0
  const { what, token } = isBegun ? { what: command('true'), token: [] } : await commandFor(attempt, mark)
  const work = {
    id,
    command: what,
    // The script ends by itself before, and says which it was.
    limitSeconds: (fetchMinutes + buildOf(attempt).build_minutes) * 60 + turnSeconds + 300,
    most: mostOutput,
    ...(after && { after }),
  }
  return follow(attempt, work, { prefixes, mark, secrets: [...secretsOf(attempt), ...token] })
}

async function commandFor(attempt: Attempt, mark: string) {
  const [recipe, name, token, images] = await Promise.all([
    firstRecipe(attempt),
    nameNow(attempt),
    patiently(attempt, atGitHub(attempt).token),
    findImagesFolder(attempt),
  ])
  const next = buildCommand(attempt, recipe, images)
  return { what: fetchCommand(attempt, { name, token, mark, next }), token: [{ key: 'token', value: token }] }
}

/**
 * What the repository is called now, for git knows no numbers. While GitHub is away the name from before serves as well: the
 * token opens this one repository, and nothing but the very commit is taken.
 */
async function nameNow(attempt: Attempt): Promise<string> {
  const { ctx, application } = attempt
  const build = buildOf(attempt)
  try {
    const { id, name } = await patiently(attempt, atGitHub(attempt).repository)
    if (name !== build.repository) await renameRepository(ctx.db, application.workspace_id, id, name)
    return name
  } catch (error) {
    if (error instanceof Problem && error.status >= 500) return build.repository
    throw error
  }
}

interface Given {
  /** What the repository is called now. */
  name: string
  token: string
  /** The line that is said once it is fetched. */
  mark: string
  /** What goes on from there. */
  next: Command
}

/** Fetches the repository at the commit, and goes on. The token is in no argument list. */
function fetchCommand(attempt: Attempt, { name, token, mark, next }: Given): Command {
  const { ctx, application, deployment, server, commit } = attempt
  const { submodules, lfs } = buildOf(attempt)
  const url = `${repositoryUrl(ctx.config, name)}.git`
  const sha = commit?.sha ?? ''
  const where = [sourceFolder(application.id), deployment.id, url, new URL(url).origin, sha]
  const more = [submodules ? 'submodules' : 'none', lfs ? 'lfs' : 'none']
  const { memory, cpus, processes } = buildLimits(server, buildOf(attempt))
  const most = [fetchMinutes * 60, leastLeft, memory, Math.round(cpus * 100_000), processes].map(String)
  return {
    ...command('sh', '-c', fetchScript, 'sh', ...where, ...more, ...most, mark, next.program, ...next.args),
    env: { ...next.env, SLIPWAY_TOKEN: token },
    asRoot: true,
  }
}
