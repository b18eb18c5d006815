import { stringify } from 'yaml'
import type { Pair } from '../../../contract/shared/entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { type ApplicationRow, getApplicationRow } from '../applications/application.ts'
import { type ApplicationConfig, readApplicationConfig } from '../applications/config.ts'
import { listVariables } from '../applications/entries/variables.ts'
import { checkComposeFileInWorker } from '../compose/check/validate-compose-file.ts'
import { listDomains } from '../domains/domain.ts'
import type { TemplateFiles } from './check-template.ts'
import { draftFilesInWorker } from './template-worker.ts'
import { imageServiceName, inputsOfImage } from './draft-files.ts'
import { type DraftedInput, draftInputs } from './draft-inputs.ts'
import { formatMemory } from './template-schema.ts'

/** Drafts a template from an application, without its secrets and domains. */
export async function draftTemplate(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
): Promise<TemplateFiles> {
  const application = await getApplicationRow(ctx, actor, id)
  const configured = await readApplicationConfig(ctx, ctx.db, application)
  mustRunImages(application, configured)
  const http = await findHttp(ctx, actor, application, configured)
  const domain = http && {
    name: domainName(configured.compose ? configured.env : inputsOfImage(configured.env), http.host),
    host: http.host,
  }
  const { inherited } = await listVariables(ctx, actor, id, false)
  const foreign = new Set(inherited.filter(({ overridden }) => !overridden).map(({ key }) => key))
  /** Project variables do not belong to the application, so the template asks for them. */
  const notInherited = ({ default: preset, ...input }: DraftedInput): DraftedInput =>
    preset === undefined || foreign.has(input.name) ? input : { ...input, default: preset }
  const { text, values } = await draftFilesInWorker(
    actor.workspace.id,
    configured,
    http?.port ?? application.port,
    domain,
  )
  const { name, memory_limit: memory } = application
  return {
    compose: text,
    template: stringify(
      {
        name,
        description: `Created from application ${name}.`,
        category: 'other',
        ...(memory !== null && { memory: formatMemory(memory) }),
        ...(http && { http: { service: http.service, port: http.port } }),
        inputs: draftInputs(values, domain).map(notInherited),
        ...(domain && { notes: `Open \${${domain.name}_URL}.\n` }),
      },
      { lineWidth: 0 },
    ),
  }
}

function mustRunImages({ name, source_type }: ApplicationRow, { compose, config }: ApplicationConfig): void {
  if (!compose && (source_type === 'github' || config.image === ''))
    throw conflict(
      'no_image',
      `Application ${name} is built from a repository, but a template needs images that every server can pull. Push the image to a registry, and create the template from an application that uses it.`,
    )
}

async function findHttp(
  ctx: Context,
  actor: Actor,
  { id, port: own }: ApplicationRow,
  { compose, env }: ApplicationConfig,
): Promise<{ host: string; service: string; port: number } | undefined> {
  const { domains } = await listDomains(ctx, actor, id)
  const first = domains.find(({ path }) => path === '/')
  if (!first) return undefined
  const services = compose
    ? (await checkComposeFileInWorker(actor.workspace.id, compose.text, { env, profiles: compose.profiles }))
        .services
    : []
  const named = services.find(({ name }) => name === first.service)?.ports[0]
  const port = first.port ?? own ?? named
  return port === undefined
    ? undefined
    : { host: first.host, service: first.service || imageServiceName, port }
}

function domainName(env: readonly Pair[], host: string): string {
  const taken = new Set(env.map(({ key }) => key))
  const held = env.find(({ key, value }) => value === host && /^[A-Za-z_]\w*$/.test(key))?.key
  const isFree = (name: string) => !taken.has(name) && !taken.has(`${name}_URL`)
  return held ?? ['DOMAIN', 'APP_DOMAIN', 'SITE_DOMAIN', 'SLIPWAY_DOMAIN'].find(isFree) ?? 'OWN_DOMAIN'
}
