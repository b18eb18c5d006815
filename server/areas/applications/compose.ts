import type { Pair } from '../../../contract/shared/entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { checkComposeFileInWorker, type ComposeCheck } from '../compose/check/check-compose-file.ts'
import { isProfileSelected } from '../compose/read/compose-file.ts'
import { errorSentences } from '../compose/check/finding.ts'
import { getApplicationRow } from './application.ts'
import type { FieldProblems } from './entries/ports.ts'
import type { ApplicationRow } from './store.ts'

/** Compose files may hold secrets, so they are sealed for the row of the application. */
export const composeSealContext = (id: string) => `applications.compose_sealed:${id}`

export interface ComposeText {
  text: string
  profiles: string[]
}

/** Returns undefined for other sources. */
export const openCompose = (
  { secrets }: Pick<Context, 'secrets'>,
  { id, compose_sealed: sealed, profiles }: Pick<ApplicationRow, 'id' | 'compose_sealed' | 'profiles'>,
): ComposeText | null =>
  sealed === null ? null : { text: secrets.open(composeSealContext(id), sealed), profiles }

export async function getCompose(ctx: Context, actor: Actor, id: Id<'application'>) {
  const compose = openCompose(ctx, await getApplicationRow(ctx, actor, id))
  if (!compose) throw notFound('The compose file of this application')
  return { compose: compose.text, profiles: compose.profiles }
}

export interface ComposeInput {
  compose: string
  profiles: string[]
}

export interface ReadCompose {
  services: ComposeCheck['services']
  problems: FieldProblems
  found: ComposeCheck['problems']
  powers: ComposeCheck['powers']
  shared: ComposeCheck['shared']
}

export async function checkSource(
  workspaceId: Id<'workspace'>,
  { compose, profiles }: ComposeInput,
  env: readonly Pair[],
): Promise<ReadCompose> {
  const { services, problems, powers, shared } = await checkComposeFileInWorker(workspaceId, compose, {
    env,
    profiles,
  })
  const wrong = errorSentences(problems)
  return {
    services: services.filter((one) => isProfileSelected(one.profiles, profiles)),
    problems: wrong.length > 0 ? { 'source.compose': wrong } : {},
    found: problems,
    powers,
    shared,
  }
}

export const composeColumns = (
  { secrets }: Pick<Context, 'secrets'>,
  id: Id<'application'>,
  { compose, profiles }: ComposeInput,
  { services }: ReadCompose,
) => ({
  compose_sealed: secrets.seal(composeSealContext(id), compose),
  profiles,
  services: services.map(({ name }) => name),
})

/** Rejects changes of entries that a compose file defines. `what` starts the sentence. */
export function assertNotCompose(
  { compose_sealed }: Pick<ApplicationRow, 'compose_sealed'>,
  what: string,
): void {
  if (compose_sealed !== null)
    throw conflict(
      'from_compose',
      `${what} of this application are defined in its compose file. Change them there and redeploy.`,
    )
}
