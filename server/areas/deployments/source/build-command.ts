import { buildLimits } from '../../applications/review/build-limits.ts'
import { type Command, command } from '../../../remote/command.ts'
import { repositoryUrl } from '../../integrations/repository.ts'
import type { Attempt } from '../run/attempt.ts'
import type { Recipe } from './recipe.ts'
import { turnSeconds } from './source-guard.ts'
import { buildScript } from './source-scripts.ts'
import { builtTag, buildOf, environmentFor, leastLeft, sourceFolder } from './source-work.ts'

/** Names that a shell keeps for itself: it would lose their values, or give others. */
const shellNames =
  /^(?:PS\d|OPT(?:IND|ARG|ERR)|P?PID|LINENO|RANDOM|SECONDS|E?UID|GROUPS|SHLVL|BASH\w*|MAIL\w*)$/

/** What of a program's environment changes how it runs: as an argument it is only a value. */
const touchy =
  /^(?:_|LD_|DYLD_|DOCKER_|BUILDX_|BUILDKIT_|COMPOSE_|SLIPWAY_|OTEL_|SSL_CERT_|GLIBC_|MALLOC_|XDG_|RAILPACK_|LC_|GCONV_|NLS|LOC|RES_|SUDO_)|^(?:PATH|HOME|IFS|ENV|PS4|PWD|OLDPWD|SHELL|SHELLOPTS|BASH_ENV|BASHOPTS|CDPATH|TERM|TMPDIR|TZ|TZDIR|LANG|LANGUAGE|USER|LOGNAME|HOSTALIASES|NO_COLOR|SSH_AUTH_SOCK|GODEBUG|GOGC|GOMAXPROCS|GOMEMLIMIT|GOTRACEBACK|GORACE|HTTPS?_PROXY|NO_PROXY|ALL_PROXY|FTP_PROXY)$/i

/** Values never stand in an argument list, but for arguments of the build that would change Docker’s own program. */
export function buildCommand(attempt: Attempt, recipe: Recipe, images: string): Command {
  const { ctx, application, deployment, server } = attempt
  const build = buildOf(attempt)
  const limits = buildLimits(server, build)
  const values = new Map(environmentFor(attempt).map(({ key, value }) => [key, value]))
  const env: Record<string, string> = { SLIPWAY_DOCKERFILE: recipe.how === 'given' ? recipe.text : '' }
  const secrets = build.build_secrets.flatMap((key, nth) => {
    const value = values.get(key)
    if (value === undefined) return []
    env[`SLIPWAY_SECRET_${nth}`] = value
    return ['--secret', `id=${key},env=SLIPWAY_SECRET_${nth}`]
  })
  const names: string[] = []
  const args = build.build_args.flatMap(({ key, value }) => {
    if (touchy.test(key) || shellNames.test(key)) return ['--build-arg', `${key}=${value}`]
    // Under a name that means nothing to anybody before Docker’s own program is started.
    env[`SLIPWAY_ARG_${names.length}`] = value
    names.push(key)
    return ['--build-arg', key]
  })
  const labels = {
    'org.opencontainers.image.revision': attempt.commit?.sha ?? '',
    'org.opencontainers.image.source': repositoryUrl(ctx.config, build.repository),
  }
  const where = [sourceFolder(application.id), deployment.id, build.folder, build.dockerfile]
  const how = [recipe.how, isOld(server.docker_version) ? 'older' : 'own']
  const most = [
    limits.memory,
    Math.round(limits.cpus * 100_000),
    limits.processes,
    limits.minutes * 60,
    leastLeft,
    turnSeconds,
  ]
  const more = [
    ...(build.target ? ['--target', build.target] : []),
    ...Object.entries(labels).flatMap(([key, value]) => ['--label', `${key}=${value}`]),
  ]
  // The last of a name counts. Caches that a Dockerfile mounts are for the builds of this application alone.
  const apart = [
    '--build-arg',
    `BUILDKIT_CACHE_MOUNT_NS=${application.id}`,
    ...(recipe.how === 'railpack' ? ['--build-arg', `cache-key=${application.id}`] : []),
  ]
  // The same commit is built again for the sake of what it stands on.
  const fresh = deployment.rebuild ? 'anew' : 'as it is'
  const own = ['--tag', builtTag(attempt), ...more, ...args, ...apart, ...secrets]
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
      fresh,
      ...own,
    ),
    env,
    asRoot: true,
  }
}

/** What of its environment the build is given: nothing else of it reaches the build. */
export const secretsOf = (attempt: Attempt) =>
  environmentFor(attempt).filter(({ key }) => buildOf(attempt).build_secrets.includes(key))

/** Before 23 Docker builds where it likes, whatever group it is told. One that is not known may be such a one. */
const isOld = (version: string | null) => !(Number.parseInt(version ?? '', 10) >= 23)
