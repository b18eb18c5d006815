import { Problem } from '../../../errors.ts'
import { command, type Command } from '../../../remote/command.ts'
import type { Release } from '../../applications/release.ts'
import { renameRepository } from '../../applications/source.ts'
import { buildLimits } from '../../applications/review/limits.ts'
import { getInstallationToken } from '../../integrations/installation-token.ts'
import { contentsAccess, refreshRepository, repositoryUrl } from '../../integrations/repository.ts'
import { findImage, type ImageFacts } from '../images/ensure-image.ts'
import { getRunHost } from '../run/deployment-run.ts'
import {
  followDetachedWork,
  type FollowedWork,
  readFollowedOffset,
  logOutputUntil,
} from '../run/followed-work.ts'
import { requestedEnvironment } from '../run/release-run.ts'
import { buildCommand, initialRecipe, listBuildSecrets } from './build-command.ts'
import {
  buildWork,
  builtTag,
  type CommitRun,
  fetchMinutes,
  fetchScript,
  findDockerRoot,
  lockTimeoutSeconds,
  maxOutputBytes,
  minFreeKib,
  type RepositoryRun,
  requireIntegration,
  retryWhenRateLimited,
  sourceFolder,
} from './source-work.ts'

export const sourceParts = { fetch: 0, build: 1 } as const
const prefixes = ['fetch: ', 'build: '] as const

/** One detached run, so that the build does not wait for Slipway. Idempotent. */
export async function runSource(
  run: CommitRun,
  { until, after }: { until?: number; after?: Promise<void> } = {},
): Promise<FollowedWork> {
  const { sourceWork } = run
  try {
    const followed = (sourceWork.followed ??= await startSourceWork(run, after))
    await logOutputUntil(run, followed, until)
    return followed
  } catch (error) {
    await sourceWork.stopFollowing()
    throw error
  }
}

export const findBuiltImage = (run: RepositoryRun) =>
  findImage(getRunHost(run).docker, builtTag(run), run.signal)

async function startSourceWork(run: CommitRun, after?: Promise<void>): Promise<FollowedWork> {
  const id = buildWork(run.deployment.id)
  const mark = `${run.deployment.id} is fetched.`
  const isBegun = readFollowedOffset(run, id, { prefixes }).offset > 0
  const { what, token } = isBegun ? { what: command('true'), token: [] } : await commandFor(run, mark)
  const work = {
    id,
    command: what,
    // The script stops itself earlier and reports the reason.
    limitSeconds: (fetchMinutes + run.build.build_minutes) * 60 + lockTimeoutSeconds + 300,
    maxBytes: maxOutputBytes,
    ...(after && { startAfter: after }),
  }
  return followDetachedWork(run, work, { prefixes, mark, secrets: [...listBuildSecrets(run), ...token] })
}

async function commandFor(run: CommitRun, mark: string) {
  const [recipe, name, token, images] = await Promise.all([
    initialRecipe(run),
    currentName(run),
    retryWhenRateLimited(run, () => readToken(run)),
    findDockerRoot(run),
  ])
  const next = buildCommand(run, recipe, images)
  return { what: fetchCommand(run, { name, token, mark, next }), token: [{ key: 'token', value: token }] }
}

/** Git knows no repository IDs. The old name is safe if GitHub is unreachable: the exact commit is checked. */
async function currentName(run: RepositoryRun): Promise<string> {
  const { ctx, application, build } = run
  try {
    const { id, name } = await retryWhenRateLimited(run, async () =>
      refreshRepository(ctx, await requireIntegration(run, build), build),
    )
    if (name !== build.repository) await renameRepository(ctx.db, application.workspace_id, id, name)
    return name
  } catch (error) {
    if (error instanceof Problem && error.status >= 500) return build.repository
    throw error
  }
}

/** Read-only and valid for an hour; submodules may need other repositories of the account. */
async function readToken(run: RepositoryRun): Promise<string> {
  const { ctx, build } = run
  const access = build.submodules ? { permissions: { contents: 'read' as const } } : contentsAccess(build)
  return getInstallationToken(ctx, await requireIntegration(run, build), access)
}

interface FetchInput {
  name: string
  token: string
  mark: string
  next: Command
}

/** Passes the token as a variable, never as an argument. */
function fetchCommand(run: CommitRun, { name, token, mark, next }: FetchInput): Command {
  const { ctx, application, build, commit, deployment } = run
  const { submodules, lfs } = build
  const url = `${repositoryUrl(ctx.config, name)}.git`
  const where = [sourceFolder(application.id), deployment.id, url, new URL(url).origin, commit.sha]
  const more = [submodules ? 'submodules' : 'none', lfs ? 'lfs' : 'none']
  const { memory, cpus, processes } = buildLimits(run.server(), build)
  const most = [fetchMinutes * 60, minFreeKib, memory, Math.round(cpus * 100_000), processes].map(String)
  return {
    ...command('sh', '-c', fetchScript, 'sh', ...where, ...more, ...most, mark, next.program, ...next.args),
    env: { ...next.env, SLIPWAY_TOKEN: token },
    asRoot: true,
  }
}

/** Keyed hash of everything that determines the image; keyed, so that no secret can be guessed from it. */
export function buildFingerprint(run: RepositoryRun, sha: string): string {
  const { ctx, build } = run
  const env = new Map(requestedEnvironment(run).map(({ key, value }) => [key, value]))
  const inputs = [
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
  return ctx.secrets.fingerprint(JSON.stringify(inputs))
}

export async function findReusableImage(
  run: RepositoryRun,
  sha: string,
): Promise<{ release: Release; image: ImageFacts } | undefined> {
  const { ctx, application, deployment, signal } = run
  if (deployment.rebuild) return undefined
  const release = await ctx.db
    .selectFrom('releases')
    .selectAll()
    .where('workspace_id', '=', application.workspace_id)
    .where('application_id', '=', application.id)
    .where('build_mark', '=', buildFingerprint(run, sha))
    .where('kept', '=', true)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const image = release && (await findImage(getRunHost(run).docker, release.image_id, signal))
  return image && { release, image }
}
