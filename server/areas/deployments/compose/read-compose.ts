import { deploymentComposeSealContext, deploymentEnvSealContext } from '../run/deployment.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import type { Context } from '../../../context.ts'
import {
  ComposeNotInstalled,
  ComposeRejected,
  formatDotenv,
  readComposeConfig,
} from '../../../remote/compose.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import {
  openReleaseCompose,
  composeText,
  openReleaseEnvironment,
  environmentPairs,
  type Release,
} from '../../applications/release.ts'
import { checkComposeFileInWorker } from '../../compose/check/validate-compose-file.ts'
import { isComposeSetting } from '../../compose/read/interpolate.ts'
import { type Model, UnsupportedCompose } from '../../compose/model.ts'
import { readModel } from '../../compose/read/read-model.ts'
import { applicationFolderPath, applicationProjectName } from '../../containers/application-folder.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'
import { maskEnvironmentValues } from '../run/redact.ts'

interface ComposeSource {
  text: string
  profiles: string[]
  env: Pair[]
}

interface ComposeModel {
  model: Model
  warnings: string[]
}

/** Messages may quote the file, so environment values are masked. */
export async function readCompose(
  ctx: Context,
  server: ServerRow,
  application: Pick<ApplicationRow, 'id' | 'slug'>,
  source: ComposeSource,
  signal: AbortSignal,
): Promise<ComposeModel> {
  const mask = (text: string) => maskEnvironmentValues(text, source.env)
  const env = source.env.filter(({ key }) => !isComposeSetting(key))
  const own = source.env.filter(({ key }) => isComposeSetting(key)).map(({ key }) => ignoredVariable(key))
  try {
    const { model, warnings } = await readOnServer(ctx, server, application, { ...source, env }, signal)
    return { model, warnings: [...own, ...warnings.map(mask)] }
  } catch (error) {
    if (error instanceof UnsupportedCompose) throw new UnsupportedCompose(error.sentences.map(mask))
    throw error
  }
}

const ignoredVariable = (key: string) =>
  `The variable ${key} is ignored because it configures Docker Compose itself. Set profiles next to the compose file.`

async function readOnServer(
  ctx: Context,
  server: ServerRow,
  application: Pick<ApplicationRow, 'id' | 'slug'>,
  { text, profiles, env }: ComposeSource,
  signal: AbortSignal,
): Promise<ComposeModel> {
  // Check the file first, because some files make Compose read other files or exhaust its memory.
  // Deployments have their own queue, apart from requests of the workspace.
  const { problems } = await checkComposeFileInWorker(`deployments of ${server.workspace_id}`, text, {
    env,
    profiles,
  })
  const wrong = problems.filter(({ severity }) => severity === 'error')
  if (wrong.length > 0)
    throw new UnsupportedCompose(wrong.map(({ line, message }) => `Line ${line}: ${message}`))
  const values = Object.fromEntries(env.map(({ key, value }) => [key, value]))
  const given = {
    project: applicationProjectName(application),
    folder: applicationFolderPath(application),
    files: { 'compose.yaml': text },
    env: formatDotenv(env),
    profiles,
  }
  try {
    const host = getServerHost(ctx, server)
    const [output, engine] = await Promise.all([
      readComposeConfig(host, given, signal),
      host.docker.engine({ signal }),
    ])
    const { model, warnings } = readModel(output.config, values, engine.apiVersion)
    return { model, warnings: [...output.warnings, ...warnings] }
  } catch (error) {
    if (error instanceof ComposeRejected || error instanceof ComposeNotInstalled)
      throw new UnsupportedCompose([error.message])
    throw error
  }
}

export function createComposeModelReader(run: DeploymentRun): () => Promise<Model> {
  let model: Model | undefined
  return async () => {
    model ??= run.release ? releaseModel(run.ctx, run.release) : await readRequested(run)
    return model
  }
}

function releaseModel(ctx: Context, release: Release): Model {
  const model = openReleaseCompose(ctx, release)?.model
  if (!model) throw new Error('The release has no compose model.')
  return model
}

async function readRequested(run: DeploymentRun): Promise<Model> {
  const { ctx, application, signal, log } = run
  try {
    const { model, warnings } = await readCompose(ctx, run.server(), application, composeSource(run), signal)
    for (const one of warnings) log.write(`Warning: ${one}`)
    return model
  } catch (error) {
    if (!(error instanceof UnsupportedCompose)) throw error
    const [first = '', ...more] = error.sentences
    throw new DeploymentFailed(`The compose file cannot be deployed. ${first}`, more)
  }
}

export const composeEnvironment = (run: DeploymentRun) =>
  run.release ? openReleaseEnvironment(run.ctx, run.release) : composeSource(run).env

export function composeSource({ ctx: { secrets }, deployment }: DeploymentRun): ComposeSource {
  const { id, compose_sealed: sealed, env_sealed: env } = deployment
  return {
    ...composeText.parse(JSON.parse(secrets.open(deploymentComposeSealContext(id), sealed ?? ''))),
    env: environmentPairs.parse(JSON.parse(secrets.open(deploymentEnvSealContext(id), env ?? ''))),
  }
}
