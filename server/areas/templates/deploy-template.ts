import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { forbidden, Invalid } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { type ApplicationRow, changeApplication, getApplicationRow } from '../applications/application.ts'
import { createApplication } from '../applications/create-application.ts'
import {
  type FromTemplate,
  type NewApplication,
  type Plan,
  toApplicationAddress,
} from '../applications/plan-application.ts'
import { showDeployment } from '../deployments/present-deployment.ts'
import { createDeployment } from '../deployments/request-deployment.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { canActAsRoot } from '../servers/root-access.ts'
import { assertDeployable, type LoadedTemplate, loadTemplate } from './template.ts'
import { interpolate } from '../compose/read/interpolate.ts'
import type { z } from 'zod'
import { createApplication as createContract } from '../../../contract/applications.ts'
import type {
  deployTemplate as deployContract,
  reviewTemplate as contract,
} from '../../../contract/templates.ts'
import { domainFields } from '../../../contract/domains.ts'
import type { FieldProblems } from '../applications/entries/ports.ts'
import type { FilledInputs } from './fill-inputs.ts'
import { fillInputsInWorker } from './template-worker.ts'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { generatedHost } from '../applications/hosts/generated-host.ts'
import { reviewApplication } from '../applications/review/review.ts'

/** Uses one transaction, so that no application is left without its first deployment. */
export async function deployTemplate(
  ctx: Context,
  actor: Actor,
  id: Id<'template'>,
  options: DeployTemplateInput,
) {
  const loaded = await loadTemplate(ctx, actor, id)
  assertDeployable(loaded)
  const allowHostAccess = canActAsRoot(actor, await getServerRow(ctx, actor, options.server_id))
  const begun: { id?: Id<'deployment'>; env: Plan['env'] } = { env: [] }
  const along = {
    check: (plan: Plan) => {
      assertHostAccessAllowed(allowHostAccess, loaded.name, plan)
      begun.env = plan.env
    },
    also: async (trx: Trx, row: ApplicationRow) => {
      const request = { type: 'deploy_application', allowHostAccess: allowHostAccess } as const
      const notes_sealed = sealNotes(ctx, row.id, fillNotes(loaded.notes, begun.env))
      await changeApplication(trx, row.workspace_id, row.id, { notes_sealed, logo: loaded.logo })
      begun.id = (await createDeployment(ctx, trx, actor, row, request)).id
    },
  }
  const planned = applicationFromTemplate(actor.workspace.id, loaded, options)
  const { application } = await createApplication(ctx, actor, planned, along).catch(renamed)
  if (!begun.id) throw new Error('The application was created without its deployment.')
  return {
    application,
    deployment: await showDeployment(ctx, actor.workspace.id, begun.id),
    notes: fillNotes(loaded.notes, begun.env),
  }
}

/** Checks the file only; the deployment reads it with Docker Compose. */
function assertHostAccessAllowed(allowHostAccess: boolean, name: string, { compose }: Plan): void {
  const hostAccess = compose?.hostAccess ?? []
  if (hostAccess.length > 0 && !allowHostAccess)
    throw forbidden(
      `Template ${name} gives containers host access, so only an admin can deploy it. ${hostAccess.join(' ')}`,
    )
}

function renamed(error: unknown): never {
  throw error instanceof Invalid ? new Invalid(toTemplateProblems(error.errors)) : error
}

/** Notes are sealed, because they may contain a generated password. */
const sealContext = (id: string) => `applications.notes_sealed:${id}`

const fillNotes = (notes: string | null, env: Plan['env']): string | null =>
  notes && interpolate(notes, new Map(env.map(({ key, value }) => [key, value])), { left: 100_000 }).text

const sealNotes = (
  { secrets }: Pick<Context, 'secrets'>,
  id: Id<'application'>,
  notes: string | null,
): string | null => (notes === null ? null : secrets.seal(sealContext(id), notes))

export async function getNotes(ctx: Context, actor: Actor, id: Id<'application'>): Promise<string | null> {
  const { notes_sealed: sealed } = await getApplicationRow(ctx, actor, id)
  return sealed === null ? null : ctx.secrets.open(sealContext(id), sealed)
}

/** Dismisses the notes for all members. */
export async function deleteNotes(ctx: Context, actor: Actor, id: Id<'application'>): Promise<void> {
  await getApplicationRow(ctx, actor, id)
  await changeApplication(ctx.db, actor.workspace.id, id, { notes_sealed: null })
}

export type DeployTemplateInput = z.output<(typeof deployContract)['body']>

export function applicationFromTemplate(
  workspaceId: Id<'workspace'>,
  loaded: LoadedTemplate,
  options: DeployTemplateInput,
): NewApplication {
  const { http, inputs, services } = loaded
  const { domain, problems } = toOwnDomain(loaded, options)
  const fields = createContract.body.parse({
    name: options.name ?? loaded.name,
    source: { type: 'compose', compose: loaded.files.compose },
    server_id: options.server_id,
    project_id: options.project_id,
    domains: domain && http ? [{ ...domain, service: http.service, port: http.port }] : [],
    generated_address: http !== null && !domain,
    health: { type: 'auto', within_seconds: loaded.healthTimeout },
  })
  // Secrets are generated once, so that every call inside and outside of the transaction gets the same ones.
  const filledFor = new Map<string, Promise<FilledInputs>>()
  const fill: FromTemplate['fill'] = async (address) => {
    const key = address?.url ?? ''
    const filling = filledFor.get(key) ?? fillInputsInWorker(workspaceId, inputs, options.inputs, address)
    filledFor.set(key, filling)
    const filled = await filling
    return { env: filled.env, problems: { ...filled.problems, ...problems } }
  }
  return { ...fields, template: { services, http, fill } }
}

interface OwnDomain {
  domain?: DeployTemplateInput['domain']
  problems: FieldProblems
}

function toOwnDomain({ http, inputs, name }: LoadedTemplate, options: DeployTemplateInput): OwnDomain {
  const input = inputs.find(({ type }) => type === 'domain')
  const typed = input && Object.hasOwn(options.inputs, input.name) ? options.inputs[input.name] : undefined
  const wrong = (field: string, why: string) => ({ problems: { [field]: [why] } })
  if (options.domain && !http)
    return wrong(
      'domain.host',
      `Template ${name} has no HTTP service, so it cannot have a domain. Remove the domain.`,
    )
  if (!input || typed === undefined || typed === '') return { domain: options.domain, problems: {} }
  const host = domainFields.host.safeParse(typed)
  if (!host.success) return wrong(`inputs.${input.name}`, 'Must be a domain, such as app.example.com.')
  if (options.domain && options.domain.host !== host.data)
    return wrong(`inputs.${input.name}`, 'Must match the domain of the application.')
  return { domain: options.domain ?? { host: host.data, https: true }, problems: {} }
}

export const toTemplateProblems = (problems: FieldProblems): FieldProblems =>
  Object.fromEntries(
    Object.entries(problems).map(([field, sentences]) => {
      if (field === 'source.compose')
        return ['inputs', sentences.map((sentence) => `compose.yaml, ${sentence.replace(/^L/, 'l')}`)]
      return [field.replace(/^domains\.0\./, 'domain.'), sentences]
    }),
  )

type Review = z.input<(typeof contract)['reply']>['review']

export async function reviewTemplate(
  ctx: Context,
  actor: Actor,
  id: Id<'template'>,
  input: DeployTemplateInput,
): Promise<Review> {
  const loaded = await loadTemplate(ctx, actor, id)
  assertDeployable(loaded)
  const server = await getServerRow(ctx, actor, input.server_id)
  const application = applicationFromTemplate(actor.workspace.id, loaded, input)
  const { steps, warnings, problems, generated_address, plan } = await reviewApplication(
    ctx,
    actor,
    application,
  )
  const [domain] = application.domains
  const https = generatedHost(ctx.config, server, 'any')?.https ?? false
  const route = domain ?? (generated_address === null ? undefined : { host: generated_address, https })
  return {
    steps,
    warnings: [...warnings, ...tooSmall(loaded, server), ...(route ? [] : unreached(loaded, server))],
    problems: toTemplateProblems(problems),
    address: route ? toApplicationAddress(server, route).url : null,
    plan,
  }
}

function tooSmall({ name, memory_bytes: least }: LoadedTemplate, server: ServerRow): string[] {
  if (least === null || server.memory_bytes === null || server.memory_bytes >= least) return []
  return [
    `${name} needs at least ${formatBytes(least)} of memory, but ${server.name} has ${formatBytes(server.memory_bytes)}. Containers are killed when the server runs out of memory.`,
  ]
}

const unreached = ({ name, http, inputs }: LoadedTemplate, server: ServerRow): string[] =>
  http && !inputs.some(({ type }) => type === 'domain')
    ? [
        `${name} gets no generated URL because ${server.name} has no public address. Add a domain now or later.`,
      ]
    : []
