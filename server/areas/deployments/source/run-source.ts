import { Problem } from '../../../errors.ts'
import { command, type Command } from '../../../remote/command.ts'
import type { Release } from '../../applications/release.ts'
import { renameRepository } from '../../applications/rename-repository.ts'
import { buildLimits } from '../../applications/review/build-limits.ts'
import { repositoryUrl } from '../../integrations/repository.ts'
import { findImage, type ImageFacts } from '../images/find-image.ts'
import { type DeploymentRun, hostOfRun } from '../run/deployment-run.ts'
import {
  followDetachedWork,
  type FollowedWork,
  stopFollowing,
  readFollowedOffset,
  logOutputUntil,
  logRestart,
  secondRunId,
} from '../run/followed-work.ts'
import { buildCommand, secretsOf, initialRecipe } from './build-command.ts'
import { fetchScript, lockTimeoutSeconds } from './source-scripts.ts'
import { githubQueries } from './github-queries.ts'
import { retryWhenRateLimited } from './github-queries.ts'
import {
  findDockerRoot,
  builtTag,
  buildConfig,
  buildWork,
  fetchMinutes,
  maxOutputBytes,
  minFreeKib,
  sourceFolder,
  requestedEnvironment,
} from './source-work.ts'

/** Parts of the detached work; each is followed by its own step. */
export const sourceParts = { fetch: 0, build: 1 } as const
const prefixes = ['fetch: ', 'build: '] as const

/**
 * Fetches and builds in one detached run, without waiting for Slipway in between. Follows it until the given
 * part or its end; reruns it once after a server restart. Idempotent.
 */
export async function runSource(
  attempt: DeploymentRun,
  { until, after }: { until?: number; after?: Promise<void> } = {},
): Promise<FollowedWork> {
  const id = buildWork(attempt.deployment.id)
  const isSecond = readFollowedOffset(attempt, secondRunId(id), { prefixes }).offset > 0
  try {
    attempt.sourceWork ??= await startSourceWork(attempt, isSecond ? secondRunId(id) : id, after)
    await logOutputUntil(attempt, attempt.sourceWork, until)
    const { finish, work } = attempt.sourceWork
    if (finish?.reason !== 'vanished' || work.id !== id || (await findBuiltImage(attempt)))
      return attempt.sourceWork
    logRestart(attempt)
    attempt.sourceWork = await startSourceWork(attempt, secondRunId(id))
    await logOutputUntil(attempt, attempt.sourceWork, until)
    return attempt.sourceWork
  } catch (error) {
    if (attempt.sourceWork) await stopFollowing(attempt.sourceWork)
    attempt.sourceWork = undefined
    throw error
  }
}

export const findBuiltImage = (attempt: DeploymentRun) =>
  findImage(hostOfRun(attempt).docker, builtTag(attempt), attempt.signal)

async function startSourceWork(
  attempt: DeploymentRun,
  id: string,
  after?: Promise<void>,
): Promise<FollowedWork> {
  const mark = `${attempt.deployment.id} is fetched.`
  const isBegun = readFollowedOffset(attempt, id, { prefixes }).offset > 0
  const { what, token } = isBegun ? { what: command('true'), token: [] } : await commandFor(attempt, mark)
  const work = {
    id,
    command: what,
    // The script stops itself earlier and reports the reason.
    limitSeconds: (fetchMinutes + buildConfig(attempt).build_minutes) * 60 + lockTimeoutSeconds + 300,
    maxBytes: maxOutputBytes,
    ...(after && { startAfter: after }),
  }
  return followDetachedWork(attempt, work, { prefixes, mark, secrets: [...secretsOf(attempt), ...token] })
}

async function commandFor(attempt: DeploymentRun, mark: string) {
  const [recipe, name, token, images] = await Promise.all([
    initialRecipe(attempt),
    currentName(attempt),
    retryWhenRateLimited(attempt, githubQueries(attempt).token),
    findDockerRoot(attempt),
  ])
  const next = buildCommand(attempt, recipe, images)
  return { what: fetchCommand(attempt, { name, token, mark, next }), token: [{ key: 'token', value: token }] }
}

/**
 * Returns the current name, because git knows no repository IDs. If GitHub is unreachable the old name is
 * safe: the token opens only this repository, and the exact commit is checked.
 */
async function currentName(attempt: DeploymentRun): Promise<string> {
  const { ctx, application } = attempt
  const build = buildConfig(attempt)
  try {
    const { id, name } = await retryWhenRateLimited(attempt, githubQueries(attempt).repository)
    if (name !== build.repository) await renameRepository(ctx.db, application.workspace_id, id, name)
    return name
  } catch (error) {
    if (error instanceof Problem && error.status >= 500) return build.repository
    throw error
  }
}

interface FetchInput {
  /** Current repository name. */
  name: string
  token: string
  /** Line that marks the end of the fetch. */
  mark: string
  /** Command to run after the fetch. */
  next: Command
}

/** Passes the token as a variable, never as an argument. */
function fetchCommand(attempt: DeploymentRun, { name, token, mark, next }: FetchInput): Command {
  const { ctx, application, deployment, server, commit } = attempt
  const { submodules, lfs } = buildConfig(attempt)
  const url = `${repositoryUrl(ctx.config, name)}.git`
  const sha = commit?.sha ?? ''
  const where = [sourceFolder(application.id), deployment.id, url, new URL(url).origin, sha]
  const more = [submodules ? 'submodules' : 'none', lfs ? 'lfs' : 'none']
  const { memory, cpus, processes } = buildLimits(server, buildConfig(attempt))
  const most = [fetchMinutes * 60, minFreeKib, memory, Math.round(cpus * 100_000), processes].map(String)
  return {
    ...command('sh', '-c', fetchScript, 'sh', ...where, ...more, ...most, mark, next.program, ...next.args),
    env: { ...next.env, SLIPWAY_TOKEN: token },
    asRoot: true,
  }
}

/** Keyed hash of everything that determines the image; keyed, so that no secret can be guessed from it. */
export function buildFingerprint(attempt: DeploymentRun, sha: string): string {
  const { ctx } = attempt
  const build = buildConfig(attempt)
  const env = new Map(requestedEnvironment(attempt).map(({ key, value }) => [key, value]))
  const made = [
    sha,
    build.repository_id,
    build.folder,
    build.builder,
    build.dockerfile,
    build.generated,
    build.target,
    build.build_args,
    build.build_secrets.map((key) => [key, env.get(key)]),
    build.submodules,
    build.lfs,
  ]
  return ctx.secrets.fingerprint(JSON.stringify(made))
}

/** Finds the image of a kept release with the same fingerprint. */
export async function findReusableImage(
  attempt: DeploymentRun,
  sha: string,
): Promise<{ release: Release; image: ImageFacts } | undefined> {
  const { ctx, application, deployment, signal } = attempt
  if (deployment.rebuild) return undefined
  const release = await ctx.db
    .selectFrom('releases')
    .selectAll()
    .where('workspace_id', '=', application.workspace_id)
    .where('application_id', '=', application.id)
    .where('build_mark', '=', buildFingerprint(attempt, sha))
    .where('kept', '=', true)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const image = release && (await findImage(hostOfRun(attempt).docker, release.image_id, signal))
  return image && { release, image }
}
