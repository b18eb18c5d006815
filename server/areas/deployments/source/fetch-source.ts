import { fetchFailureMessage } from './build-failure.ts'
import { Problem } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import { allSettledOrThrow } from '../../../platform/async.ts'
import { buildLimits, renameRepository } from '../../applications/source.ts'
import {
  type Commit,
  readBranch,
  contentsAccess,
  refreshRepository,
  repositoryUrl,
} from '../../integrations/repository.ts'
import { findReusableImage, buildCommand, initialRecipe, listBuildSecrets } from './build-command.ts'
import { buildMessage } from '../run/deployment.ts'
import {
  DeploymentEnded,
  DeploymentFailed,
  nudgeDeployment,
  reloadDeployment,
  writeWithLease,
} from '../run/deployment-run.ts'
import {
  errorLogLines,
  type FollowedWork,
  followDetachedWork,
  readFollowedOffset,
  logOutputUntil,
} from '../run/detached-work.ts'
import { type Deployment, updateDeployment } from '../run/deployment.ts'
import {
  buildWork,
  type CommitRun,
  fetchMinutes,
  type RepositoryRun,
  requireIntegration,
  retryWhenRateLimited,
  fetchScript,
  findDockerRoot,
  lockTimeoutSeconds,
  maxOutputBytes,
  minFreeKib,
  sourceFolder,
} from './source-work.ts'
import { applicationTarget } from '../../applications/application.ts'
import { command, type Command } from '../../../remote/command.ts'
import { getInstallationToken } from '../../integrations/installation-token.ts'

export async function fetchSource(run: RepositoryRun): Promise<Commit> {
  const deployment = await reloadDeployment(run)
  const commit = await resolveCommit(run, deployment)
  const { sha, message, author } = commit
  run.log.write(`Commit ${sha.slice(0, 7)}${message ? `: ${message}` : ''}${author ? ` (${author})` : ''}`)
  const same = await findReusableImage(run, sha)
  const saved = run.stepEntered.then(() => saveCommit(run, deployment, commit, { isBegun: !same }))
  if (same) {
    await saved
    return commit
  }
  const committed = { ...run, commit }
  const fetched = runSource(committed, { until: sourceParts.build, after: saved })
  await allSettledOrThrow([saved, fetched])
  assertFetched(committed, await fetched)
  return commit
}

async function resolveCommit(run: RepositoryRun, deployment: Deployment): Promise<Commit> {
  const { commit: requested } = deployment
  if (requested && isSaved(run, deployment)) return requested
  // A push of a tag carries the name of the tag as its branch, and a tag does not move.
  const isFixed = requested !== null && requested.branch !== run.build.branch
  return isFixed ? requested : findHead(run, requested)
}

const isSaved = ({ build }: RepositoryRun, { commit, tag }: Deployment) =>
  commit !== null && tag === builtImageName(build.repository, commit)

async function findHead(run: RepositoryRun, requested: Commit | null): Promise<Commit> {
  const { ctx, log } = run
  const { repository, branch } = run.build
  try {
    const { head, isSkipped } = await retryWhenRateLimited(run, async () =>
      readBranch(ctx, await requireIntegration(run, run.build), run.build, branch),
    )
    if (!requested || !isSkipped) return head
    log.write('The latest commit has [skip deploy]. Building the previous push instead.')
    return requested
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.status === 404)
      throw new DeploymentFailed(
        `The branch ${branch} of ${repository} does not exist, or Slipway has no access to it. Choose another branch in the settings, or grant access on GitHub; then deploy again.`,
      )
    if (!requested || error.code === 'github_access_lost') throw new DeploymentFailed(error.message)
    log.write(`${error.message} Building the pushed commit.`)
    return requested
  }
}

/** Saves the commit, and that the server may hold leftovers of the build until they are removed. */
async function saveCommit(
  run: RepositoryRun,
  deployment: Deployment,
  commit: Commit,
  { isBegun }: { isBegun: boolean },
): Promise<void> {
  const { application, build } = run
  const { workspace_id, id, followed } = deployment
  const message = buildMessage(build, commit)
  const changes = {
    ...(!isSaved(run, deployment) && {
      commit: JSON.stringify(commit),
      message,
      tag: builtImageName(build.repository, commit),
    }),
    ...(isBegun && followed === null && { followed: JSON.stringify({ work: buildWork(id), offset: 0 }) }),
  }
  if (Object.keys(changes).length === 0) return
  await writeWithLease(run, async (trx) => {
    const now = await updateDeployment(trx, workspace_id, id, changes)
    if (!now) throw new DeploymentEnded()
    if (deployment.commit?.sha !== commit.sha)
      await emit(
        trx,
        'slipway',
        workspace_id,
        'deployment.commit_found',
        { ...applicationTarget(application), about: id },
        message,
      )
    await nudgeDeployment(trx, run)
  })
}

export const builtImageName = (repository: string, { sha }: Commit) => `${repository}@${sha.slice(0, 7)}`

/** Throws if the fetch failed; the next step reports the build. */
export function assertFetched(run: CommitRun, { part, finish, lines }: FollowedWork): void {
  if (part !== sourceParts.fetch || !finish) return
  const { build, commit } = run
  const output = lines[sourceParts.fetch] ?? []
  const reason = fetchFailureMessage(finish, {
    server: run.server().name,
    repository: build.repository,
    sha: commit.sha,
    lines: output,
    minutes: fetchMinutes,
    memory: buildLimits(run.server(), build).memory,
  })
  throw new DeploymentFailed(reason, output.slice(-errorLogLines))
}

export const sourceParts = { fetch: 0, build: 1 } as const
const prefixes = ['fetch: ', 'build: '] as const

/** Starts a detached process, so that the build does not wait for Slipway. Idempotent. */
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

/** Git needs a name instead of the ID. If GitHub is unreachable, the old name is safe, because the commit is exact. */
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

/** The token is read-only and valid for an hour. With submodules it covers all repositories of the account. */
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

/** Passes the token as an environment variable, because every user of the server can see arguments. */
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
