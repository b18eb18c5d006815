import type { Pair } from '../../../../contract/shared/entries.ts'
import type { Context } from '../../../context.ts'
import { composeConfig, ComposeMissing, ComposeRefused } from '../../../remote/compose.ts'
import { dotenvOf } from '../../../remote/dotenv.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { checkFileOffLoop } from '../../compose/check/check-off-loop.ts'
import { isOfCompose } from '../../compose/check/own-variables.ts'
import type { Model } from '../../compose/model.ts'
import { applicationFolderOf, projectOf } from '../../containers/application-folder.ts'
import { readModel } from '../../compose/read/read-model.ts'
import { Unfit } from '../../compose/read/unfit.ts'
import { hostOf } from '../../servers/reach.ts'
import type { ServerRow } from '../../servers/server.ts'
import { withoutValues } from '../run/environment.ts'

/** What somebody wrote, with what it takes from the environment. */
export interface ComposeSource {
  text: string
  profiles: string[]
  env: Pair[]
}

interface Read {
  model: Model
  warnings: string[]
}

/**
 * As Docker Compose on the server reads it, which has the last word. Throws `Unfit` for what cannot be deployed. Both
 * Compose and we quote what stands in the file, so values of the environment are taken out of all that is said.
 */
export async function readCompose(
  ctx: Context,
  server: ServerRow,
  application: Pick<ApplicationRow, 'id' | 'slug'>,
  source: ComposeSource,
  signal: AbortSignal,
): Promise<Read> {
  const untold = (said: string) => withoutValues(said, source.env)
  const env = source.env.filter(({ key }) => !isOfCompose(key))
  const own = source.env.filter(({ key }) => isOfCompose(key)).map(({ key }) => leftOut(key))
  try {
    const { model, warnings } = await read(ctx, server, application, { ...source, env }, signal)
    return { model, warnings: [...own, ...warnings.map(untold)] }
  } catch (error) {
    if (error instanceof Unfit) throw new Unfit(error.sentences.map(untold))
    throw error
  }
}

const leftOut = (key: string) =>
  `The variable ${key} is ignored because it configures Docker Compose itself. Set profiles next to the compose file.`

async function read(
  ctx: Context,
  server: ServerRow,
  application: Pick<ApplicationRow, 'id' | 'slug'>,
  { text, profiles, env }: ComposeSource,
  signal: AbortSignal,
): Promise<Read> {
  // Before anything is read on the server: some files would make Compose read others there, or eat its memory.
  // Deployments do not wait behind the requests of their workspace, nor are they refused with them.
  const { problems } = await checkFileOffLoop(`deployments of ${server.workspace_id}`, text, {
    env,
    profiles,
  })
  const wrong = problems.filter(({ severity }) => severity === 'error')
  if (wrong.length > 0) throw new Unfit(wrong.map(({ line, message }) => `Line ${line}: ${message}`))
  const values = Object.fromEntries(env.map(({ key, value }) => [key, value]))
  const given = {
    project: projectOf(application),
    folder: applicationFolderOf(application),
    files: { 'compose.yaml': text },
    env: dotenvOf(env),
    profiles,
  }
  try {
    const output = await composeConfig(hostOf(ctx, server), given, signal)
    const { model, warnings } = readModel(output.config, values)
    return { model, warnings: [...output.warnings, ...warnings] }
  } catch (error) {
    if (error instanceof ComposeRefused || error instanceof ComposeMissing) throw new Unfit([error.message])
    throw error
  }
}
