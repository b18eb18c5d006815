import type { z } from 'zod'
import type { template, templateDetails } from '../../../contract/templates.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { toSentence, conflict, notFound } from '../../errors.ts'
import { type Actor, hasPermission } from '../../route.ts'
import type { ListedTemplate } from '../../tables.ts'
import { readCatalog } from './catalog.ts'
import { checkTemplateInWorker } from './template-worker.ts'
import type { ParsedTemplate, TemplateFiles } from './check-template.ts'
import { containsPassword, looksSecret } from './looks-secret.ts'
import { findTemplateRow, type ListedRow, type TemplateRow } from './store.ts'
import type { Input } from './template-schema.ts'

export interface LoadedTemplate extends ParsedTemplate {
  id: Id<'template'>
  files: TemplateFiles
  row?: TemplateRow
}

const sealContexts = (id: string) => ({
  template: `templates.template_sealed:${id}`,
  compose: `templates.compose_sealed:${id}`,
})

/** Templates of a workspace may contain secrets, so both files are sealed. */
export function sealFiles({ secrets }: Pick<Context, 'secrets'>, id: string, files: TemplateFiles) {
  const places = sealContexts(id)
  return {
    template_sealed: secrets.seal(places.template, files.template),
    compose_sealed: secrets.seal(places.compose, files.compose),
  }
}

const openFiles = (
  { secrets }: Pick<Context, 'secrets'>,
  { id, template_sealed, compose_sealed }: TemplateRow,
): TemplateFiles => ({
  template: secrets.open(sealContexts(id).template, template_sealed),
  compose: secrets.open(sealContexts(id).compose, compose_sealed),
})

export async function loadTemplate(ctx: Context, actor: Actor, id: Id<'template'>): Promise<LoadedTemplate> {
  const builtin = (await readCatalog()).get(id)
  if (builtin) return builtin
  const row = await findTemplateRow(ctx.db, actor.workspace.id, id)
  if (!row) throw notFound('This template')
  return loadTemplateRow(ctx, row)
}

/** The template was valid when saved, but a later version of Slipway may reject it. */
export function assertDeployable({ name, errors: [first] }: LoadedTemplate): void {
  if (first !== undefined)
    throw conflict(
      'template_wrong',
      `Template ${name} has an error and cannot be deployed. ${toSentence(first)}`,
    )
}

export async function loadTemplateRow(
  ctx: Pick<Context, 'secrets'>,
  row: TemplateRow,
): Promise<LoadedTemplate> {
  const files = openFiles(ctx, row)
  const { template } = await checkTemplateInWorker(row.workspace_id, files)
  return { ...(template ?? unread(row)), id: row.id, files, row }
}

const unread = ({ name, description, category, listed }: TemplateRow): ParsedTemplate => ({
  name,
  description,
  category,
  ...listed,
  http: null,
  inputs: [],
  notes: null,
  host_access: [],
  errors: ['The file template.yaml cannot be read.'],
  healthTimeout: 0,
})

export const toListedTemplate = ({
  logo,
  links,
  memory_bytes,
  services,
}: ParsedTemplate): ListedTemplate => ({
  logo,
  links,
  memory_bytes,
  services,
})

export const presentTemplateRow = ({ listed, updated_at, ...row }: ListedRow): z.input<typeof template> => ({
  ...row,
  ...listed,
  builtin: false,
  updated_at: updated_at.toISOString(),
})

export const presentTemplate = (loaded: LoadedTemplate): z.input<typeof template> => ({
  id: loaded.id,
  name: loaded.name,
  description: loaded.description,
  category: loaded.category,
  ...toListedTemplate(loaded),
  builtin: !loaded.row,
  updated_at: loaded.row?.updated_at.toISOString() ?? null,
})

/** Users who cannot read environments must not read secrets of templates. */
export function presentTemplateDetails(
  actor: Actor,
  loaded: LoadedTemplate,
): z.input<typeof templateDetails> {
  const maySee = !loaded.row || hasPermission(actor, 'applications.manage')
  return {
    ...presentTemplate(loaded),
    inputs: maySee ? loaded.inputs : loaded.inputs.map(withoutSecret),
    http: loaded.http,
    notes: maySee ? loaded.notes : null,
    host_access: loaded.host_access,
    files: maySee ? loaded.files : null,
  }
}

function withoutSecret(input: Input): Input {
  const { name, type, default: value } = input
  const isSecret = type === 'secret' || looksSecret(name) || containsPassword(value ?? '')
  return isSecret ? { ...input, default: null } : input
}

export const getTemplate = async (ctx: Context, actor: Actor, id: Id<'template'>) =>
  presentTemplateDetails(actor, await loadTemplate(ctx, actor, id))
