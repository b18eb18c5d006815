import type { Id } from '../../../../contract/shared/ids.ts'
import { command } from '../../../remote/command.ts'
import { removeDetached } from '../../../remote/detached.ts'
import { toImageTag, releaseRepository } from '../../applications/release.ts'
import { buildLimits } from '../../applications/source.ts'
import type { Model, Service } from '../../compose/model.ts'
import { applicationFolderPath, applicationProjectName } from '../../containers/application-folder.ts'
import { findImage } from '../images/ensure-image.ts'
import { removeTags } from '../images/release-images.ts'
import { type DeploymentRun, DeploymentFailed, getRunHost } from '../run/deployment-run.ts'
import { runFollowedWork, errorLogLines } from '../run/detached-work.ts'
import { buildFailureMessage } from './build-failure.ts'
import {
  composeBuildScript,
  findDockerRoot,
  lockTimeoutSeconds,
  minFreeKib,
  removeCheckout,
  sourcesFolder,
  trimBuildCache,
} from './source-work.ts'
import { composeSource } from '../compose/read-compose.ts'
import { secretContents } from '../run/redact.ts'

const limitMinutes = 60
const maxOutputBytes = 16 * 1024 * 1024
const maxFileBytes = 100_000

/** Builds as a detached process, so that a worker that takes over can follow it. */
export async function buildImages(
  run: DeploymentRun,
  model: Model,
  services: string[],
): Promise<Map<string, string>> {
  if (services.length === 0) return new Map()
  await run.stepEntered
  const names = services.toSorted()
  const before = await findBuilt(run, names)
  const missing = names.filter((name) => !before.has(name))
  if (missing.length > 0) await build(run, model, missing)
  const built = await findBuilt(run, names)
  const lost = names.find((name) => !built.has(name))
  if (lost !== undefined)
    throw new DeploymentFailed(
      `The image built for ${lost} was removed from ${run.server().name} during the deployment. Deploy again.`,
    )
  return built
}

export async function removeBuilds(run: DeploymentRun): Promise<void> {
  await removeDetached(getRunHost(run), workId(run.deployment.id))
  await removeCheckout(getRunHost(run), sourcesFolder, run.deployment.id)
  const { docker } = getRunHost(run)
  await removeTags(docker, run.application.id, (tag) => tag.startsWith(buildTag(run, '')))
}

const workId = (deployment: Id<'deployment'>) => `${deployment}-build`

const buildTag = ({ application, deployment }: DeploymentRun, service: string) =>
  `${releaseRepository(application.id)}:${deployment.id}-${toImageTag(service)}`

async function findBuilt(run: DeploymentRun, names: readonly string[]): Promise<Map<string, string>> {
  const { docker } = getRunHost(run)
  const imageIds = new Map<string, string>()
  for (const name of names) {
    const image = await findImage(docker, buildTag(run, name), run.signal)
    if (image) imageIds.set(name, image.Id)
  }
  return imageIds
}

async function build(run: DeploymentRun, model: Model, names: string[]): Promise<void> {
  const { application, deployment } = run
  const server = run.server()
  const host = getRunHost(run)
  const { text, env } = composeBuildFile(model, names, (name) => buildTag(run, name))
  if (Buffer.byteLength(text) > maxFileBytes)
    throw new DeploymentFailed(
      `The build definitions exceed ${maxFileBytes / 1_000} kB. Move the Dockerfiles to a repository.`,
    )
  const limits = buildLimits(server, { build_memory: null, build_cpus: null, build_minutes: limitMinutes })
  const where = [applicationFolderPath(application), applicationProjectName(application), deployment.id]
  const times = [lockTimeoutSeconds, limitMinutes * 60, minFreeKib].map(String)
  const most = [limits.memory, Math.round(limits.cpus * 100_000), limits.processes].map(String)
  const given = [...where, ...times, await findDockerRoot(run), ...most, ...names]
  const what = {
    ...command('sh', '-c', composeBuildScript, 'sh', ...given),
    env: { ...env, SLIPWAY_BUILD: text },
    asRoot: true,
  }
  const work = {
    id: workId(deployment.id),
    command: what,
    // The script stops itself earlier and reports the reason.
    limitSeconds: limitMinutes * 60 + lockTimeoutSeconds + 300,
    maxBytes: maxOutputBytes,
  }
  const { finish, lines } = await runFollowedWork(run, work, {
    prefixes: ['build: '],
    secrets: [...composeSource(run).env, ...secretContents(model)],
  })
  await trimBuildCache(host.docker, server)
  if (finish.reason === 'ended' && finish.code === 0) return removeDetached(host, work.id)
  const reason = buildFailureMessage(finish, { server: server.name, lines, limits })
  throw new DeploymentFailed(reason, lines.slice(-errorLogLines))
}

function composeBuildFile(
  model: Model,
  names: readonly string[],
  tagOf: (name: string) => string,
): { text: string; env: Record<string, string> } {
  const env: Record<string, string> = {}
  const secrets = Object.fromEntries(
    secretsOf(model, names).map((key, nth) => {
      const { content, file } = model.secrets[key] ?? {}
      if (content === undefined) return [key, { file }]
      env[`SLIPWAY_SECRET_${nth}`] = content
      return [key, { environment: `SLIPWAY_SECRET_${nth}` }]
    }),
  )
  const services = Object.fromEntries(
    names.map((name) => {
      const { build = {}, platform } = model.services[name] ?? {}
      // Extra tags could overwrite images of others.
      const { tags: _, ...own } = build
      return [name, { image: tagOf(name), build: own, ...(platform !== undefined && { platform }) }]
    }),
  )
  return { text: JSON.stringify(escapeDollars({ services, secrets })), env }
}

const secretsOf = ({ services }: Model, names: readonly string[]) => [
  ...new Set(names.flatMap((name) => sourcesIn(services[name] ?? {}))),
]

function sourcesIn({ build }: Service): string[] {
  const given: unknown = build?.['secrets']
  if (!Array.isArray(given)) return []
  return given.flatMap((one: unknown) => {
    if (typeof one === 'string') return [one]
    const source = one instanceof Object && 'source' in one ? one.source : undefined
    return typeof source === 'string' ? [source] : []
  })
}

/** Compose would interpolate a single dollar sign. */
function escapeDollars(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('$', '$$$$')
  if (Array.isArray(value)) return value.map(escapeDollars)
  if (!(value instanceof Object)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, escapeDollars(one)]))
}
