import type { Id } from '../../../../contract/shared/ids.ts'
import { type Command, command } from '../../../remote/command.ts'
import type { Host } from '../../../remote/host.ts'
import type { BuildConfig } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { environmentPairs, releaseRepository } from '../../applications/release.ts'
import { hostOf } from '../../servers/reach.ts'
import { type Attempt, Failed } from '../run/attempt.ts'
import { trimBuildCache } from './build-cache.ts'
import { endRuns } from '../run/follow-work.ts'
import { configOf } from '../run/make-release.ts'
import { removeNames } from '../images/release-images.ts'
import { deploymentEnvPlace } from '../request-deployment.ts'
import { ended, sourcesFolder } from './source-guard.ts'
import { clearScript } from './source-scripts.ts'
import { forgetFollowed, listFollowed } from '../run/store.ts'

export const fetchMinutes = 30
/** KiB that stay free whatever is fetched or built. */
export const leastLeft = 256 * 1024
/** Bytes that are kept of what is said. */
export const mostOutput = 16 * 1024 * 1024

/** Where the repository of an application stays between its deployments, on the server. */
export const sourceFolder = (application: Id<'application'>) => `${sourcesFolder}/${application}`

export const isRepository = ({ deployment }: Pick<Attempt, 'deployment'>) =>
  deployment.type === 'build_application'

/** How it is built, as that was configured when it was asked for. */
export function buildOf(attempt: Attempt): BuildConfig {
  const { build } = configOf(attempt)
  if (!build) throw new Error('A deployment of a repository knows how it is built.')
  return build
}

/** Its variables, as they were when it was asked for. */
export const environmentFor = ({ ctx, deployment: { id, env_sealed: sealed } }: Attempt) =>
  environmentPairs.parse(JSON.parse(ctx.secrets.open(deploymentEnvPlace(id), sealed ?? '')))

/** It fetches the repository, and builds it. */
export const buildWork = (deployment: Id<'deployment'>) => `${deployment}-build`
/** With the Dockerfile that was found out, where the repository has none. */
export const generatedWork = (deployment: Id<'deployment'>) => `${deployment}-made`

/** Until the release has a number. */
export const builtTag = ({
  application,
  deployment,
}: {
  application: Pick<ApplicationRow, 'id'>
  deployment: Pick<Attempt['deployment'], 'id'>
}) => `${releaseRepository(application.id)}:${deployment.id}`

type Place = Pick<Attempt, 'ctx' | 'application' | 'server'>

/** What a deployment that was ended by the next one has left: it came not so far as to clear up itself. */
export async function clearEarlier(place: Place, current?: Id<'deployment'>): Promise<void> {
  const { ctx, application } = place
  const left = await listFollowed(ctx.db, application.workspace_id, application.id)
  for (const id of left) if (id !== current) await clearSource(place, id)
}

/** Whatever it began on the server is ended and removed. Safe to do again. */
export async function clearSource(
  { ctx, application, server }: Place,
  deployment: Id<'deployment'>,
): Promise<void> {
  const host = hostOf(ctx, server)
  for (const work of [buildWork, generatedWork]) await endRuns(host, work(deployment))
  await clearLeft(host, sourceFolder(application.id), deployment)
  const tag = builtTag({ application, deployment: { id: deployment } })
  await removeNames(host.docker, application.id, (one) => one === tag)
  await trimBuildCache(host.docker, server)
  await forgetFollowed(ctx.db, application.workspace_id, deployment)
}

/** Of a deployment, in this folder and among the control groups. Safe to do again. */
export const clearLeft = (host: Host, folder: string, deployment: Id<'deployment'>) =>
  runAsRoot(host, command('sh', '-c', clearScript, 'sh', folder, deployment))

/** The whole of it, with the application. */
export const removeSource = (host: Host, application: Id<'application'>) =>
  runAsRoot(host, command('rm', '-rf', '--', sourceFolder(application)))

async function runAsRoot(host: Host, what: Command): Promise<void> {
  const { code, stderr } = await host.run({ ...what, asRoot: true }, { timeout: 120_000 })
  if (code === ended.stillBusy) throw new Failed('A process of the build did not stop on the server.')
  if (code !== 0)
    throw new Failed(`The source checkout could not be removed: ${stderr.trim() || `exit code ${code}`}.`)
}
