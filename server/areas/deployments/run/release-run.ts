import {
  type Deployment,
  deploymentComposeSealContext,
  deploymentEnvSealContext,
  updateDeployment,
} from './deployment.ts'
import { allSettledOrThrow } from '../../../platform/async.ts'
import { newId } from '../../../platform/ids.ts'
import type { PlannedService, ReleaseConfig, Trx } from '../../../tables.ts'
import type { Context } from '../../../context.ts'
import { conflict } from '../../../errors.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { computeRevision, readApplicationConfig } from '../../applications/config.ts'
import {
  environmentPairs,
  findNextNumber,
  findRelease,
  freezeConfig,
  type FrozenCompose,
  insertRelease,
  openFrozenConfig,
  openReleaseCompose,
  openReleaseEnvironment,
  type Release,
  releaseComposeSealContext,
  releaseEnvSealContext,
} from '../../applications/release.ts'
import { listInstances } from '../../applications/instance.ts'
import type { Model } from '../../compose/model.ts'
import { planMessage, planServices } from '../compose/plan-services.ts'
import { tagReleaseImages } from '../images/ensure-image.ts'
import {
  DeploymentEnded,
  type DeploymentRun,
  nudgeDeployment,
  reloadDeployment,
  type ReleaseRun,
  toRunScope,
  writeWithLease,
} from './deployment-run.ts'
import { maskEnvironmentValues } from './redact.ts'

export async function freezeConfiguration(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  { id, revision }: { id: Deployment['id']; revision: string | undefined },
) {
  const configured = await readApplicationConfig(ctx, trx, application)
  const { config, env, compose } = configured
  if (revision !== undefined && revision !== computeRevision(ctx, configured))
    throw configurationChanged(application)
  return {
    build: config.build,
    columns: {
      ...freezeConfig(ctx, 'deployments', id, config),
      env_sealed: ctx.secrets.seal(deploymentEnvSealContext(id), JSON.stringify(env)),
      compose_sealed: compose && ctx.secrets.seal(deploymentComposeSealContext(id), JSON.stringify(compose)),
    },
  }
}

/** The approval covers only what the plan showed. */
const configurationChanged = ({ name }: ApplicationRow) =>
  conflict(
    'changed_since',
    `The configuration of ${name} has changed since you reviewed the plan. Review the plan again.`,
  )

export function requestedConfig({
  ctx,
  deployment: { id, config, config_sealed },
}: DeploymentRun): ReleaseConfig {
  if (!config) throw new Error('The deployment has neither a release nor a configuration.')
  return openFrozenConfig(ctx, 'deployments', { id, config, config_sealed })
}

export const requestedEnvironment = ({ ctx, deployment: { id, env_sealed: sealed } }: DeploymentRun) =>
  environmentPairs.parse(JSON.parse(ctx.secrets.open(deploymentEnvSealContext(id), sealed ?? '')))

/** Finds the release, including one that this worker created before it repeats a step. */
export async function findSavedRelease(run: DeploymentRun): Promise<Release | undefined> {
  if (run.release) return run.release
  const { workspace_id, release_id } = await reloadDeployment(run)
  return release_id ? findRelease(run.ctx.db, workspace_id, release_id) : undefined
}

export async function loadReleaseRun(run: DeploymentRun): Promise<ReleaseRun> {
  const release = await findSavedRelease(run)
  if (!release) throw new Error('No earlier step has created the release.')
  const { plan } = await reloadDeployment(run)
  const model =
    run.application.compose_sealed === null ? undefined : openReleaseCompose(run.ctx, release)?.model
  return { ...run, release, model, plan }
}

interface NewReleaseContent {
  config: ReleaseConfig
  image: string
  image_id: string
  digest: string | null
  compose?: FrozenCompose
  commit?: NonNullable<Release['commit']>
  mark?: string
}

export function createRelease(
  run: DeploymentRun,
  { config, compose, commit, mark, ...image }: NewReleaseContent,
): Promise<Release> {
  const { ctx, deployment, application } = run
  const { secrets } = ctx
  const env = secrets.open(deploymentEnvSealContext(deployment.id), deployment.env_sealed ?? '')
  const id = newId('release')
  return writeWithLease(run, async (trx) => {
    const made_number = await findNextNumber(trx, application.workspace_id, application.id)
    const release = await insertRelease(trx, {
      id,
      workspace_id: application.workspace_id,
      application_id: application.id,
      deployment_id: deployment.id,
      number: made_number,
      ...image,
      ...freezeConfig(ctx, 'releases', id, config),
      env_sealed: secrets.seal(releaseEnvSealContext(id), env),
      ...(commit && { commit: JSON.stringify(commit), build_mark: mark ?? null }),
      compose_sealed: compose ? secrets.seal(releaseComposeSealContext(id), JSON.stringify(compose)) : null,
    })
    await updateDeployment(trx, application.workspace_id, deployment.id, { release_id: id, made_number })
    await nudgeDeployment(trx, run)
    return release
  })
}

export async function prepareRelease(
  run: DeploymentRun,
  release: Release,
  model?: Model,
): Promise<ReleaseRun> {
  const planned = planRelease(run, release, model)
  await allSettledOrThrow([tagReleaseImages(run, release), planned])
  return { ...run, release, model, plan: await planned }
}

/** Plans once, and saves the plan: from here on the running services change. */
async function planRelease(
  run: DeploymentRun,
  release: Release,
  model: Model | undefined,
): Promise<PlannedService[]> {
  const { plan: saved } = await reloadDeployment(run)
  if (saved) return saved
  const { log, deployment } = run
  const plan = model ? await planCompose(run, release, model) : await planImage(run, release)
  await writeWithLease(run, async (trx) => {
    const now = await updateDeployment(trx, deployment.workspace_id, deployment.id, {
      plan: JSON.stringify(plan),
      // The message can name the services only now, because the plan was unknown when the deployment was requested.
      ...(model &&
        deployment.type === 'deploy_application' &&
        plan.length > 0 && { message: planMessage(plan) }),
    })
    if (!now) throw new DeploymentEnded()
  })
  for (const { service, action, reasons } of plan)
    if (service !== '')
      log.write(`${service}: ${actionLabels[action]}${reasons.length > 0 ? `. ${reasons.join(' ')}` : ''}`)
  return plan
}

const actionLabels: Record<PlannedService['action'], string> = {
  added: 'new service',
  rolled: 'rolling update, zero downtime',
  recreated: 'stopped and recreated, with downtime',
  unchanged: 'unchanged',
  removed: 'removed',
}

async function planCompose(run: DeploymentRun, release: Release, model: Model): Promise<PlannedService[]> {
  const { ctx, deployment, signal } = run
  const planned = await planServices(
    toRunScope(run),
    { model, services: release.config.services ?? [] },
    { all: deployment.type === 'restart_application', signal },
  )
  const env = openReleaseEnvironment(ctx, release)
  return planned.map((service) => ({
    ...service,
    reasons: service.reasons.map((reason) => maskEnvironmentValues(reason, env)),
  }))
}

async function planImage(
  { ctx, application }: DeploymentRun,
  { config }: Release,
): Promise<PlannedService[]> {
  const all = await listInstances(ctx.db, application.workspace_id, application.id)
  const isRunning = all.some(({ state }) => state === 'serving' || state === 'held')
  const action = !isRunning ? 'added' : config.stop_first ? 'recreated' : 'rolled'
  return [{ service: '', action, reasons: [] }]
}
