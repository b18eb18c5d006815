import type { Id } from '../../../../contract/shared/ids.ts'
import { type Command, command } from '../../../remote/command.ts'
import type { Host } from '../../../remote/host.ts'
import type { BuildConfig } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { environmentPairs, releaseRepository } from '../../applications/release.ts'
import { hostOf } from '../../servers/reach.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'
import { trimBuildCache } from './build-cache.ts'
import { removeRuns } from '../run/detached-runs.ts'
import { requestedConfig } from '../run/create-release.ts'
import { removeTags } from '../images/release-images.ts'
import { deploymentEnvPlace } from '../request-deployment.ts'
import { exitCodes, sourcesFolder } from './source-guard.ts'
import { clearScript } from './source-scripts.ts'
import { clearRemoteWork, listWithRemoteWork } from '../run/store.ts'

export const fetchMinutes = 30
export const minFreeKib = 256 * 1024
export const maxOutputBytes = 16 * 1024 * 1024

export const sourceFolder = (application: Id<'application'>) => `${sourcesFolder}/${application}`

export const isRepository = ({ deployment }: Pick<DeploymentRun, 'deployment'>) =>
  deployment.type === 'build_application'

/** Returns the build settings at the time of the request. */
export function buildConfig(attempt: DeploymentRun): BuildConfig {
  const { build } = requestedConfig(attempt)
  if (!build) throw new Error('A deployment of a repository knows how it is built.')
  return build
}

/** Returns the environment at the time of the request. */
export const requestedEnvironment = ({ ctx, deployment: { id, env_sealed: sealed } }: DeploymentRun) =>
  environmentPairs.parse(JSON.parse(ctx.secrets.open(deploymentEnvPlace(id), sealed ?? '')))

/** ID of the work that fetches and builds. */
export const buildWork = (deployment: Id<'deployment'>) => `${deployment}-build`
/** ID of the work that builds with a generated Dockerfile. */
export const generatedWork = (deployment: Id<'deployment'>) => `${deployment}-made`

/** Temporary tag until the release has a number. */
export const builtTag = ({
  application,
  deployment,
}: {
  application: Pick<ApplicationRow, 'id'>
  deployment: Pick<DeploymentRun['deployment'], 'id'>
}) => `${releaseRepository(application.id)}:${deployment.id}`

type SourceScope = Pick<DeploymentRun, 'ctx' | 'application' | 'server'>

/** Removes the leftovers of earlier deployments that were interrupted. */
export async function clearEarlierSources(place: SourceScope, current?: Id<'deployment'>): Promise<void> {
  const { ctx, application } = place
  const left = await listWithRemoteWork(ctx.db, application.workspace_id, application.id)
  for (const id of left) if (id !== current) await clearSource(place, id)
}

/** Stops and removes the fetch and build of a deployment. Idempotent. */
export async function clearSource(
  { ctx, application, server }: SourceScope,
  deployment: Id<'deployment'>,
): Promise<void> {
  const host = hostOf(ctx, server)
  for (const work of [buildWork, generatedWork]) await removeRuns(host, work(deployment))
  await removeCheckout(host, sourceFolder(application.id), deployment)
  const tag = builtTag({ application, deployment: { id: deployment } })
  await removeTags(host.docker, application.id, (one) => one === tag)
  await trimBuildCache(host.docker, server)
  await clearRemoteWork(ctx.db, application.workspace_id, deployment)
}

/** Removes the checkout and the cgroup of a deployment. Idempotent. */
export const removeCheckout = (host: Host, folder: string, deployment: Id<'deployment'>) =>
  runAsRoot(host, command('sh', '-c', clearScript, 'sh', folder, deployment))

export const removeSource = (host: Host, application: Id<'application'>) =>
  runAsRoot(host, command('rm', '-rf', '--', sourceFolder(application)))

async function runAsRoot(host: Host, what: Command): Promise<void> {
  const { code, stderr } = await host.run({ ...what, asRoot: true }, { timeout: 120_000 })
  if (code === exitCodes.stillBusy)
    throw new DeploymentFailed('A process of the build did not stop on the server.')
  if (code !== 0)
    throw new DeploymentFailed(
      `The source checkout could not be removed: ${stderr.trim() || `exit code ${code}`}.`,
    )
}
