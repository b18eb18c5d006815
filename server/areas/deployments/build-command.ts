import { buildLimits } from '../applications/build-limits.ts'
import { type Command, command } from '../../remote/command.ts'
import { repositoryUrl } from '../integrations/repository.ts'
import type { Attempt } from './attempt.ts'
import { leastLeft } from './fetch-source.ts'
import { turnSeconds } from './source-guard.ts'
import { buildScript } from './source-scripts.ts'
import { builtTag, buildOf, environmentFor, sourceFolder } from './source-work.ts'

/** Names such as the script's own variables, and the shell's: it would lose their values, or give others. */
const ownNames =
  /[a-z]|^(?:PS\d|OPT(?:IND|ARG|ERR)|P?PID|LINENO|RANDOM|SECONDS|E?UID|GROUPS|SHLVL|BASH\w*|MAIL\w*)$/

/** What of a program's environment changes how it runs: as an argument it is only a value. */
const touchy =
  /^(?:_|LD_|DYLD_|DOCKER_|BUILDX_|BUILDKIT_|COMPOSE_|SLIPWAY_|OTEL_|SSL_|GO|GLIBC_|MALLOC_|XDG_|GIT_|RAILPACK_|SSH_|LC_|GCONV_|NLS|LOC|RES_|SUDO_)|^(?:PATH|HOME|IFS|ENV|PS4|PWD|OLDPWD|SHELL|SHELLOPTS|BASH_ENV|BASHOPTS|CDPATH|TERM|TMPDIR|TZ|TZDIR|LANG|LANGUAGE|USER|LOGNAME|HOSTALIASES|NO_COLOR|HTTPS?_PROXY|NO_PROXY|ALL_PROXY|FTP_PROXY)$/i

/** How the image is made: with a Dockerfile of the repository (if it is there), with one that is given, or by Railpack. */
export type Recipe = { how: 'file' | 'auto' | 'railpack' } | { how: 'given'; text: string }

/** Values never stand in an argument list, but for arguments of the build that would change Docker’s own program. */
export function buildCommand(attempt: Attempt, recipe: Recipe): Command {
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
  const args = build.build_args.flatMap(({ key, value }) => {
    if (touchy.test(key) || ownNames.test(key)) return ['--build-arg', `${key}=${value}`]
    env[key] = value
    return ['--build-arg', key]
  })
  const labels = {
    'org.opencontainers.image.revision': deployment.commit?.sha ?? '',
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
    // The same commit is built again for the sake of what it stands on.
    ...(deployment.rebuild ? ['--no-cache', '--pull'] : []),
    ...Object.entries(labels).flatMap(([key, value]) => ['--label', `${key}=${value}`]),
  ]
  // The last of a name counts. Caches that a Dockerfile mounts are for the builds of this application alone.
  const apart = [
    '--build-arg',
    `BUILDKIT_CACHE_MOUNT_NS=${application.id}`,
    ...(recipe.how === 'railpack' ? ['--build-arg', `cache-key=${application.id}`] : []),
  ]
  const own = ['--tag', builtTag(attempt), ...more, ...args, ...apart, ...secrets]
  return {
    ...command('sh', '-c', buildScript, 'sh', ...where, ...how, ...most.map(String), ...own),
    env,
    asRoot: true,
  }
}

/** Before 23 Docker builds where it likes, whatever group it is told. One that is not known may be such a one. */
const isOld = (version: string | null) => !(Number.parseInt(version ?? '', 10) >= 23)
