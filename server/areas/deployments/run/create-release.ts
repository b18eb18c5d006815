import { newId } from '../../../platform/ids.ts'
import type { ReleaseConfig } from '../../../tables.ts'
import { openFrozenConfig as frozenConfigOf, freezeConfig } from '../../applications/changes/frozen-config.ts'
import {
  findNextNumber,
  type FrozenCompose,
  insertRelease,
  type Release,
  releaseComposePlace,
  releaseEnvPlace,
} from '../../applications/release.ts'
import { type DeploymentRun, nudgeDeployment, writeWithLease } from './deployment-run.ts'
import { deploymentEnvPlace } from '../request-deployment.ts'
import { updateDeployment } from './store.ts'

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
  attempt: DeploymentRun,
  { config, compose, commit, mark, ...image }: NewReleaseContent,
): Promise<Release> {
  const { ctx, deployment, application } = attempt
  const { secrets } = ctx
  const env = secrets.open(deploymentEnvPlace(deployment.id), deployment.env_sealed ?? '')
  const id = newId('release')
  return writeWithLease(attempt, async (trx) => {
    const made_number = await findNextNumber(trx, application.workspace_id, application.id)
    const release = await insertRelease(trx, {
      id,
      workspace_id: application.workspace_id,
      application_id: application.id,
      deployment_id: deployment.id,
      number: made_number,
      ...image,
      ...freezeConfig(ctx, 'releases', id, config),
      env_sealed: secrets.seal(releaseEnvPlace(id), env),
      ...(commit && { commit: JSON.stringify(commit), build_mark: mark ?? null }),
      compose_sealed: compose ? secrets.seal(releaseComposePlace(id), JSON.stringify(compose)) : null,
    })
    await updateDeployment(trx, application.workspace_id, deployment.id, { release_id: id, made_number })
    await nudgeDeployment(trx, attempt)
    return release
  })
}

/** Returns the configuration at the time of the request. */
export function requestedConfig({
  ctx,
  deployment: { id, config, config_sealed },
}: DeploymentRun): ReleaseConfig {
  if (!config) throw new Error('A deployment without a release has a configuration.')
  return frozenConfigOf(ctx, 'deployments', { id, config, config_sealed })
}
