import {
  DeploymentFailed,
  type DeploymentRun,
  failureMessage,
  isPending,
  retryWhileUnreachable,
  saveStepStart,
  type StepName,
  writeWithApplication,
  writeWithLease,
  toRunScope,
} from '../run/deployment-run.ts'
import { completeDeployment } from '../run/finish-deployment.ts'
import { loadReleaseRun } from '../run/release-run.ts'
import { sealStepError, lockUnfinished, updateSteps } from '../run/deployment.ts'
import { leaveOldNetworks } from '../networks/join-networks.ts'
import { drainOldContainers } from '../steps/drain.ts'
import { type DiscardBuild, internalErrorMessage, isLastAttempt } from './handle-failure.ts'
import type { Context } from '../../../context.ts'
import type { Trx } from '../../../tables.ts'
import { type ApplicationRow, findApplication } from '../../applications/application.ts'
import { listInstances } from '../../applications/instance.ts'
import {
  openReleaseCompose,
  findRelease,
  findReleases,
  retainedReleaseCount,
  listLiveReleases,
  type Release,
  updateRelease,
} from '../../applications/release.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'
import { requiredNetworks, removeNetworks } from '../compose/compose-networks.ts'
import { removeUnusedNetworks, networksInUse } from '../networks/own-networks.ts'
import { removeOldImages } from '../images/release-images.ts'

export async function cleanUp(run: DeploymentRun, discardBuild: DiscardBuild): Promise<void> {
  await cleanupStep(run, 'drain', async (run) => {
    await drainOldContainers(run)
    const isCompose = run.application.compose_sealed !== null
    if (isCompose && run.deployment.type !== 'stop_application')
      await leaveOldNetworks(await loadReleaseRun(run))
  })
  await cleanupStep(run, 'prune', async (run) => {
    const { signal } = run
    await pruneReleases({ ...toRunScope(run), signal, write: (work) => writeWithApplication(run, work) })
    if (run.deployment.type === 'build_application') await tryDiscardBuild(run, discardBuild)
  })
  await completeDeployment(run)
}

/** The release is live whether or not the cleanup succeeds; a failed cleanup is retried later. */
async function cleanupStep(
  run: DeploymentRun,
  name: StepName,
  work: (run: DeploymentRun) => Promise<void>,
): Promise<void> {
  if (!isPending(run, name)) return
  run.signal.throwIfAborted()
  const { workspace_id, id } = run.deployment
  await saveStepStart(run, name)
  try {
    await retryWhileUnreachable(run, () => work(run))
  } catch (error) {
    run.signal.throwIfAborted()
    const why = failureMessage(run, error) ?? (isLastAttempt(run) ? internalErrorMessage : undefined)
    if (!why) throw error
    run.log.write(`${why} Slipway will retry later.`)
    const error_sealed = sealStepError(run.ctx, id, why)
    await writeWithLease(run, (trx) =>
      updateSteps(trx, workspace_id, id, { name }, { status: 'failed', error_sealed }),
    )
  }
}

async function tryDiscardBuild(run: DeploymentRun, discardBuild: DiscardBuild): Promise<void> {
  try {
    await discardBuild(run)
  } catch (error) {
    if (!(error instanceof DeploymentFailed)) throw error
    run.log.write(`${error.message} Slipway will retry later.`)
  }
}

interface PruneContext {
  ctx: Context
  server: ServerRow
  application: Pick<ApplicationRow, 'workspace_id' | 'id'>
  write: (work: (trx: Trx) => Promise<void>) => Promise<void>
  signal: AbortSignal
}

export async function pruneReleases({
  ctx,
  server,
  application,
  write,
  signal,
}: PruneContext): Promise<void> {
  await removeOldImages(getServerHost(ctx, server).docker, application.id, signal, async () => {
    let decided: { releases: Release[]; staying: Release[] } = { releases: [], staying: [] }
    await write(async (trx) => {
      decided = await markRemovable(trx, application)
    })
    return decided
  })
  const now = await findApplication(ctx.db, application.workspace_id, application.id)
  if (!now) return
  const { docker } = getServerHost(ctx, server)
  await removeNetworks(ctx, docker, now, await listNetworksInUse(ctx, now))
  await removeUnusedNetworks(ctx, docker, now)
}

async function listNetworksInUse(ctx: Context, application: ApplicationRow): Promise<Set<string>> {
  const { workspace_id, id, release_id } = application
  const instances = await listInstances(ctx.db, workspace_id, id)
  const ids = [release_id, ...instances.map((instance) => instance.release_id)].filter((id) => id !== null)
  const releases = await findReleases(ctx.db, workspace_id, ids)
  const models = releases.flatMap((release) => openReleaseCompose(ctx, release)?.model ?? [])
  return new Set([
    ...networksInUse(instances),
    ...models.flatMap((model) => requiredNetworks(application, model, [])).map(({ name }) => name),
  ])
}

/** Runs before images are removed, so that no rollback starts to a release that is about to lose its image. */
async function markRemovable(trx: Trx, { workspace_id, id }: PruneContext['application']) {
  const releases = await listLiveReleases(trx, workspace_id, id)
  const instances = await listInstances(trx, workspace_id, id)
  const underWay = await lockUnfinished(trx, workspace_id, id)
  const used = new Set([...instances, ...underWay].map((instance) => instance.release_id))
  const staying = releases.filter((one, place) => place < retainedReleaseCount || used.has(one.id))
  for (const release of releases)
    if (release.kept && !staying.includes(release))
      await updateRelease(trx, workspace_id, release.id, { kept: false })
  // A release that is being deployed may never have been live, so the list above lacks it.
  for (const one of underWay) {
    const release = one.release_id && (await findRelease(trx, workspace_id, one.release_id))
    if (release) staying.push(release)
  }
  return { releases, staying }
}
