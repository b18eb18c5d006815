import { z } from 'zod'
import type { Id } from '../../../../contract/shared/ids.ts'
import { type Command, command } from '../../../remote/command.ts'
import { defaultDockerRoot } from '../../../remote/docker.ts'
import { removeDetached } from '../../../remote/detached.ts'
import type { Docker, Host } from '../../../remote/host.ts'
import type { BuildConfig, Db } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { releaseRepository } from '../../applications/release.ts'
import type { Commit } from '../../integrations/repository.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'
import type { RemovalContext } from '../cleanup/remove-instances.ts'
import { removeTags } from '../images/release-images.ts'
import { DeploymentFailed, type DeploymentRun, getRunHost } from '../run/deployment-run.ts'
import type { FollowedWork } from '../run/detached-work.ts'
import { readScript } from '../../../platform/read-script.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { GitHubRateLimited } from '../../auth/github-api.ts'
import { findIntegration, type Integration } from '../../integrations/integration.ts'

export const fetchMinutes = 30
export const minFreeKib = 256 * 1024
export const maxOutputBytes = 16 * 1024 * 1024

export const sourceFolder = (application: Id<'application'>) => `${sourcesFolder}/${application}`

export interface RepositoryRun extends DeploymentRun {
  readonly build: BuildConfig
  readonly sourceWork: SourceWork
}

export interface CommitRun extends RepositoryRun {
  readonly commit: Commit
}

export class SourceWork {
  followed: FollowedWork | undefined

  async stopFollowing(): Promise<void> {
    await this.followed?.pieces.return(undefined)
    this.followed = undefined
  }
}

export const buildWork = (deployment: Id<'deployment'>) => `${deployment}-build`
export const generatedWork = (deployment: Id<'deployment'>) => `${deployment}-made`

export const builtTag = ({
  application,
  deployment,
}: {
  application: Pick<ApplicationRow, 'id'>
  deployment: Pick<DeploymentRun['deployment'], 'id'>
}) => `${releaseRepository(application.id)}:${deployment.id}`

type SourceScope = Pick<RemovalContext, 'ctx' | 'application' | 'server'>

export async function clearEarlierSources(place: SourceScope, current?: Id<'deployment'>): Promise<void> {
  const { ctx, application } = place
  const left = await listWithRemoteWork(ctx.db, application.workspace_id, application.id)
  for (const id of left) if (id !== current) await clearSource(place, id)
}

export async function clearSource(
  { ctx, application, server }: SourceScope,
  deployment: Id<'deployment'>,
): Promise<void> {
  const host = getServerHost(ctx, server)
  for (const work of [buildWork, generatedWork]) await removeDetached(host, work(deployment))
  await removeCheckout(host, sourceFolder(application.id), deployment)
  const tag = builtTag({ application, deployment: { id: deployment } })
  await removeTags(host.docker, application.id, (candidate) => candidate === tag)
  await trimBuildCache(host.docker, server)
  await clearRemoteWork(ctx.db, application.workspace_id, deployment)
}

export const removeCheckout = (host: Host, folder: string, deployment: Id<'deployment'>) =>
  runAsRoot(host, command('sh', '-c', cleanScript, 'sh', folder, deployment))

export const removeSource = (host: Host, application: Id<'application'>) =>
  runAsRoot(host, command('rm', '-rf', '--', sourceFolder(application)))

async function runAsRoot(host: Host, what: Command): Promise<void> {
  const { code, stderr } = await host.run({ ...what, asRoot: true }, { timeout: 120_000 })
  if (code === exitCodes.stillBusy) throw new DeploymentFailed('A build process on the server did not stop.')
  if (code !== 0)
    throw new DeploymentFailed(
      `Could not remove the source checkout: ${stderr.trim() || `exit code ${code}`}.`,
    )
}

const gibibyte = 1024 ** 3
const maxCacheBytes = 20 * gibibyte
const maxDiskShare = 0.2

export const cacheBudget = ({ disk_bytes: disk }: Pick<ServerRow, 'disk_bytes'>) =>
  Math.floor(disk === null ? maxCacheBytes / 4 : Math.min(maxCacheBytes, disk * maxDiskShare))

export async function trimBuildCache(docker: Docker, server: ServerRow): Promise<void> {
  const query = new URLSearchParams({ 'keep-storage': String(cacheBudget(server)) }).toString()
  await docker.json({ method: 'POST', path: `/build/prune?${query}`, timeout: 120_000 })
}

const info = z.object({ DockerRootDir: z.string().min(1).catch(defaultDockerRoot) })

/** The folder is cached, because `docker info` is slow and the folder rarely changes. */
const cacheMs = 60 * 60_000

export async function findDockerRoot(run: DeploymentRun): Promise<string> {
  const { cache, docker } = getRunHost(run)
  const kept = cache.dockerRoot
  if (kept && kept.until > Date.now()) return kept.folder
  const dockerInfo = info.parse(await docker.json({ path: '/info', signal: run.signal }))
  cache.dockerRoot = { folder: dockerInfo.DockerRootDir, until: Date.now() + cacheMs }
  return dockerInfo.DockerRootDir
}

/** Exit codes of the scripts below. Keep them equal to source-exit-codes.sh. */
export const exitCodes = {
  noGit: 60,
  notFetched: 61,
  diskFull: 62,
  late: 63,
  noLfs: 64,
  notCheckedOut: 65,
  noFolder: 66,
  leaves: 67,
  noDockerfile: 68,
  noRailpack: 69,
  outOfMemory: 70,
  noPlan: 71,
  metLimit: 72,
  noLimits: 73,
  noTurn: 74,
  otherSyntax: 75,
  stillBusy: 76,
} as const

/** Longer than any build may take, because a build waits for the lock until the build before it is done. */
export const lockTimeoutSeconds = 7 * 3_600

/** Keep this equal to the folder in build-lock-path.sh. */
export const sourcesFolder = '/var/lib/slipway/sources'

export const fetchScript = readScript('fetch-source.sh')
export const buildScript = readScript('build-image.sh')
export const composeBuildScript = readScript('build-compose-images.sh')
const cleanScript = readScript('clean-source.sh')

export async function requireIntegration(
  { ctx, application }: DeploymentRun,
  { integration_id: id, repository }: BuildConfig,
): Promise<Integration> {
  const integration = id && (await findIntegration(ctx.db, application.workspace_id, id))
  if (!integration)
    throw new DeploymentFailed(
      `The GitHub account for ${repository} was disconnected. Connect it again under Integrations, then deploy again.`,
    )
  return integration
}

const maxWait = 60 * 60_000

export async function retryWhenRateLimited<T>(run: DeploymentRun, ask: () => Promise<T>): Promise<T> {
  const { log, signal } = run
  const began = Date.now()
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof GitHubRateLimited)) throw error
      const pause = Math.max(1_000, error.retryAt.getTime() - Date.now())
      if (Date.now() - began + pause > maxWait) throw error
      log.write(`GitHub rate limit reached. Waiting until ${error.retryAt.toISOString().slice(11, 19)} UTC.`)
      await log.flush()
      await sleep(pause, undefined, { signal })
    }
  }
}

async function listWithRemoteWork(db: Db, workspaceId: Id<'workspace'>, applicationId: Id<'application'>) {
  const rows = await db
    .selectFrom('deployments')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .where('type', '=', 'build_application')
    .where('followed', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}

const clearRemoteWork = (db: Db, workspaceId: Id<'workspace'>, id: Id<'deployment'>) =>
  db
    .updateTable('deployments')
    .set({ followed: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
