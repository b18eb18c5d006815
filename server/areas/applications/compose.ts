import type { Pair } from '../../../contract/shared/entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { ServerRow } from '../servers/server.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { checkComposeFileInWorker, type ComposeCheck } from '../compose/check/validate-compose-file.ts'
import { isProfileSelected } from '../compose/profiles.ts'
import { errorSentences } from '../compose/check/finding.ts'
import { type ApplicationRow, getApplicationRow } from './application.ts'
import type { FieldProblems } from './entries/ports.ts'
import type { NewApplication } from './plan-application.ts'
import type { Db } from '../../tables.ts'
import { readApplicationConfig } from './config.ts'

/** Compose files may hold secrets, so they are sealed for the row of the application. */
export const composeSealContext = (id: string) => `applications.compose_sealed:${id}`

export interface ComposeText {
  text: string
  profiles: string[]
}

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
  hostAccess: ComposeCheck['hostAccess']
  shared: ComposeCheck['shared']
}

export async function checkSource(
  workspaceId: Id<'workspace'>,
  { compose, profiles }: ComposeInput,
  env: readonly Pair[],
  server?: Pick<ServerRow, 'docker_api_version'>,
): Promise<ReadCompose> {
  const apiVersion = server?.docker_api_version ?? undefined
  const { services, problems, hostAccess, shared } = await checkComposeFileInWorker(workspaceId, compose, {
    env,
    profiles,
    apiVersion,
  })
  const wrong = errorSentences(problems)
  return {
    services: services.filter((service) => isProfileSelected(service.profiles, profiles)),
    problems: wrong.length > 0 ? { 'source.compose': wrong } : {},
    found: problems,
    hostAccess,
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

type Services = ComposeCheck['services']

const commonPorts = [80, 443, 8080, 3000, 8000, 5000]

export function firstPort(
  services: Services,
  profiles: readonly string[],
): { service: string; port: number } | undefined {
  const active = services.filter((service) => isProfileSelected(service.profiles, profiles))
  const named = active.flatMap(({ name, ports }) => ports.map((port) => ({ service: name, port })))
  const liked = commonPorts.flatMap((port) => named.find((service) => service.port === port) ?? [])
  return liked[0] ?? named[0]
}

export const routeProblems = (input: NewApplication, services: Services | undefined): FieldProblems =>
  services
    ? { ...namedTwice(input), ...domainProblems(input, services) }
    : Object.fromEntries(
        input.domains.flatMap(({ service }, index): [string, string[]][] =>
          service === ''
            ? []
            : [
                [
                  `domains.${index}.service`,
                  ['Only compose applications have services. Leave this field empty.'],
                ],
              ],
        ),
      )

const namedTwice = (input: NewApplication): FieldProblems =>
  Object.fromEntries(
    (['labels', 'volumes', 'ports'] as const).flatMap((field): [string, string[]][] =>
      input[field].length === 0 ? [] : [[field, ['Defined in the compose file. Remove this field.']]],
    ),
  )

const domainProblems = ({ domains }: NewApplication, services: Services): FieldProblems =>
  Object.fromEntries(
    domains.flatMap(({ service }, index): [string, string[]][] =>
      services.some(({ name }) => name === service)
        ? []
        : [[`domains.${index}.service`, [notThere(service)]]],
    ),
  )

const notThere = (service: string) =>
  service === '' ? 'Specify the service of the compose file.' : `The compose file has no service ${service}.`

export async function readServices(
  ctx: Context,
  db: Db,
  application: ApplicationRow,
): Promise<ComposeCheck['services'] | undefined> {
  if (application.compose_sealed === null) return undefined
  const { compose, env } = await readApplicationConfig(ctx, db, application)
  if (!compose) return undefined
  return (
    await checkComposeFileInWorker(`reads of ${application.workspace_id}`, compose.text, {
      env,
      profiles: compose.profiles,
    })
  ).services
}
