import { type Command, command } from '../../../remote/command.ts'
import { buildLimits } from '../../applications/source.ts'
import { inspectCommit } from '../../integrations/detect-build.ts'
import { repositoryUrl } from '../../integrations/repository.ts'
import type { Release } from '../../applications/release.ts'
import { findImage, type ImageFacts } from '../images/ensure-image.ts'
import { DeploymentFailed, getRunHost } from '../run/deployment-run.ts'
import { requestedEnvironment } from '../run/release-run.ts'
import {
  buildScript,
  builtTag,
  type CommitRun,
  lockTimeoutSeconds,
  minFreeKib,
  type RepositoryRun,
  requireIntegration,
  retryWhenRateLimited,
  sourceFolder,
} from './source-work.ts'

/** Variables whose values the shell would lose or change. */
const shellNames =
  /^(?:PS\d|OPT(?:IND|ARG|ERR)|P?PID|LINENO|RANDOM|SECONDS|E?UID|GROUPS|SHLVL|BASH\w*|MAIL\w*)$/

/** Variables that change how programs run; as arguments they are plain values. */
const reservedNames =
  /^(?:_|LD_|DYLD_|DOCKER_|BUILDX_|BUILDKIT_|COMPOSE_|SLIPWAY_|OTEL_|SSL_CERT_|GLIBC_|MALLOC_|XDG_|RAILPACK_|LC_|GCONV_|NLS|LOC|RES_|SUDO_)|^(?:PATH|HOME|IFS|ENV|PS4|PWD|OLDPWD|SHELL|SHELLOPTS|BASH_ENV|BASHOPTS|CDPATH|TERM|TMPDIR|TZ|TZDIR|LANG|LANGUAGE|USER|LOGNAME|HOSTALIASES|NO_COLOR|SSH_AUTH_SOCK|GODEBUG|GOGC|GOMAXPROCS|GOMEMLIMIT|GOTRACEBACK|GORACE|HTTPS?_PROXY|NO_PROXY|ALL_PROXY|FTP_PROXY)$/i

/** Passes values as environment variables, except build arguments that would affect the docker CLI. */
export function buildCommand(run: CommitRun, recipe: Recipe, images: string): Command {
  const { ctx, application, build, commit, deployment } = run
  const server = run.server()
  const limits = buildLimits(server, build)
  const values = new Map(requestedEnvironment(run).map(({ key, value }) => [key, value]))
  const env: Record<string, string> = { SLIPWAY_DOCKERFILE: recipe.how === 'given' ? recipe.text : '' }
  const secrets = build.build_secrets.flatMap((key, nth) => {
    const value = values.get(key)
    if (value === undefined) return []
    env[`SLIPWAY_SECRET_${nth}`] = value
    return ['--secret', `id=${key},env=SLIPWAY_SECRET_${nth}`]
  })
  const names: string[] = []
  const args = build.build_args.flatMap(({ key, value }) => {
    if (reservedNames.test(key) || shellNames.test(key)) return ['--build-arg', `${key}=${value}`]
    // The script gives the variable its own name only for the docker CLI, so that it does not affect other programs.
    env[`SLIPWAY_ARG_${names.length}`] = value
    names.push(key)
    return ['--build-arg', key]
  })
  const labels = {
    'org.opencontainers.image.revision': commit.sha,
    'org.opencontainers.image.source': repositoryUrl(ctx.config, build.repository),
  }
  const where = [sourceFolder(application.id), deployment.id, build.folder, build.dockerfile]
  const how = [recipe.how, isOldDocker(server.docker_version) ? 'older' : 'own']
  const most = [
    limits.memory,
    Math.round(limits.cpus * 100_000),
    limits.processes,
    limits.minutes * 60,
    minFreeKib,
    lockTimeoutSeconds,
  ]
  const more = [
    ...(build.target ? ['--target', build.target] : []),
    ...Object.entries(labels).flatMap(([key, value]) => ['--label', `${key}=${value}`]),
  ]
  // These arguments come last, because the last value wins: they isolate the cache mounts of each application.
  const apart = [
    '--build-arg',
    `BUILDKIT_CACHE_MOUNT_NS=${application.id}`,
    ...(recipe.how === 'railpack' ? ['--build-arg', `cache-key=${application.id}`] : []),
  ]
  const mode = deployment.rebuild ? 'rebuild' : 'cached'
  const own = ['--tag', builtTag(run), ...more, ...args, ...apart, ...secrets]
  return {
    ...command(
      'sh',
      '-c',
      buildScript,
      'sh',
      ...where,
      ...how,
      ...most.map(String),
      images,
      names.join(' '),
      mode,
      ...own,
    ),
    env,
    asRoot: true,
  }
}

export const listBuildSecrets = (run: RepositoryRun) =>
  requestedEnvironment(run).filter(({ key }) => run.build.build_secrets.includes(key))

/** Docker before 23 ignores the cgroup parent. An unknown version counts as old. */
const isOldDocker = (version: string | null) => !(Number.parseInt(version ?? '', 10) >= 23)

type Recipe = { how: 'file' | 'auto' | 'railpack' } | { how: 'given'; text: string }

const maxFileBytes = 100_000

export async function initialRecipe(run: CommitRun): Promise<Recipe> {
  const { builder, generated } = run.build
  if (builder === 'railpack') return { how: 'railpack' }
  if (builder === 'dockerfile') return { how: 'file' }
  if (builder === 'auto') return { how: 'auto' }
  return generated === null ? generateRecipe(run) : givenRecipe(generated)
}

export async function generateRecipe(run: CommitRun, { isLogged = false } = {}): Promise<Recipe> {
  const { ctx, build: source, commit, log } = run
  const { folder, dockerfile } = source
  const integration = await requireIntegration(run, source)
  const { generated, summary } = await retryWhenRateLimited(run, () =>
    inspectCommit(ctx, integration, source, { sha: commit.sha, folder }),
  )
  if (!isLogged && dockerfile !== '') log.write(`No ${dockerfile} found`)
  if (!isLogged) log.write(summary)
  if (generated === null)
    throw new DeploymentFailed(
      `Slipway does not know how to build ${source.repository}. Add a Dockerfile, then deploy again.`,
    )
  return givenRecipe(generated)
}

function givenRecipe(text: string): Recipe {
  if (Buffer.byteLength(text) > maxFileBytes)
    throw new DeploymentFailed(
      `The Dockerfile exceeds ${maxFileBytes / 1_000} kB. Add it to the repository, then deploy again.`,
    )
  return { how: 'given', text }
}

export const findBuiltImage = (run: RepositoryRun) =>
  findImage(getRunHost(run).docker, builtTag(run), run.signal)

/** Hashes everything that determines the image, with a key, so that nobody can guess a secret from the hash. */
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
