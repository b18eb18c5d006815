import { composeOf, composeText, environmentOf, environmentPairs } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import { Unfit } from '../../compose/read/unfit.ts'
import { type Attempt, Failed } from '../run/attempt.ts'
import { type ComposeSource, readCompose } from './read-compose.ts'
import { deploymentComposePlace, deploymentEnvPlace } from '../request-deployment.ts'

/** Whether what is deployed is a compose file. */
export const isCompose = ({ application }: Pick<Attempt, 'application'>) =>
  application.compose_sealed !== null

/** Its services: of a release as they were read for it, else as they are read now. Nothing for a single image. */
export async function modelFor(attempt: Attempt): Promise<Model | undefined> {
  if (!isCompose(attempt)) return undefined
  attempt.model ??= attempt.release ? composeOf(attempt.ctx, attempt.release)?.model : await readNew(attempt)
  return attempt.model
}

async function readNew(attempt: Attempt): Promise<Model> {
  const { ctx, server, application, signal, log } = attempt
  try {
    const { model, warnings } = await readCompose(ctx, server, application, sourceOf(attempt), signal)
    for (const one of warnings) log.say(`Warning: ${one}`)
    return model
  } catch (error) {
    if (!(error instanceof Unfit)) throw error
    const [first = '', ...more] = error.sentences
    throw new Failed(`The compose file cannot be deployed. ${first}`, more)
  }
}

/** What it is filled with. */
export const envOf = (attempt: Attempt) =>
  attempt.release ? environmentOf(attempt.ctx, attempt.release) : sourceOf(attempt).env

/** As it was when it was asked for. */
export function sourceOf({ ctx: { secrets }, deployment }: Attempt): ComposeSource {
  const { id, compose_sealed: sealed, env_sealed: env } = deployment
  return {
    ...composeText.parse(JSON.parse(secrets.open(deploymentComposePlace(id), sealed ?? ''))),
    env: environmentPairs.parse(JSON.parse(secrets.open(deploymentEnvPlace(id), env ?? ''))),
  }
}
