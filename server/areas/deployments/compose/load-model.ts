import { composeOf, composeText, environmentOf, environmentPairs } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import { UnsupportedCompose } from '../../compose/read/unsupported-compose.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'
import { type ComposeSource, readCompose } from './read-compose.ts'
import { deploymentComposePlace, deploymentEnvPlace } from '../request-deployment.ts'

export const isCompose = ({ application }: Pick<DeploymentRun, 'application'>) =>
  application.compose_sealed !== null

/** Loads the model from the release, or reads the compose file. Undefined for a single image. */
export async function loadModel(attempt: DeploymentRun): Promise<Model | undefined> {
  if (!isCompose(attempt)) return undefined
  attempt.model ??= attempt.release
    ? composeOf(attempt.ctx, attempt.release)?.model
    : await readRequested(attempt)
  return attempt.model
}

async function readRequested(attempt: DeploymentRun): Promise<Model> {
  const { ctx, server, application, signal, log } = attempt
  try {
    const { model, warnings } = await readCompose(ctx, server, application, composeSource(attempt), signal)
    for (const one of warnings) log.write(`Warning: ${one}`)
    return model
  } catch (error) {
    if (!(error instanceof UnsupportedCompose)) throw error
    const [first = '', ...more] = error.sentences
    throw new DeploymentFailed(`The compose file cannot be deployed. ${first}`, more)
  }
}

export const composeEnvironment = (attempt: DeploymentRun) =>
  attempt.release ? environmentOf(attempt.ctx, attempt.release) : composeSource(attempt).env

/** Returns the compose file at the time of the request. */
export function composeSource({ ctx: { secrets }, deployment }: DeploymentRun): ComposeSource {
  const { id, compose_sealed: sealed, env_sealed: env } = deployment
  return {
    ...composeText.parse(JSON.parse(secrets.open(deploymentComposePlace(id), sealed ?? ''))),
    env: environmentPairs.parse(JSON.parse(secrets.open(deploymentEnvPlace(id), env ?? ''))),
  }
}
