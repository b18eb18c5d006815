import type { z } from 'zod'
import type { template, templateDetails } from '../../../contract/templates.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { toSentence, conflict, notFound } from '../../errors.ts'
import { type Actor, hasPermission } from '../../route.ts'
import type { ListedTemplate } from '../../tables.ts'
import { readCatalogue } from './catalogue.ts'
import { checkTemplateOffLoop } from './off-loop.ts'
import type { KnownTemplate, TemplateFiles } from './check-template.ts'
import { holdsPassword, looksSecret } from './looks-secret.ts'
import { findTemplateRow, type ListedRow, type TemplateRow } from './store.ts'
import type { Input } from './template-schema.ts'

/** One of the workspace, or of Slipway itself. */
export interface FoundTemplate extends KnownTemplate {
  id: Id<'template'>
  files: TemplateFiles
  /** Of the workspace. */
  row?: TemplateRow
}

const placesOf = (id: string) => ({
  template: `templates.template_sealed:${id}`,
  compose: `templates.compose_sealed:${id}`,
})

/** What a workspace wrote may hold secrets, so both files are sealed for their row. */
export function sealFiles({ secrets }: Pick<Context, 'secrets'>, id: string, files: TemplateFiles) {
  const places = placesOf(id)
  return {
    template_sealed: secrets.seal(places.template, files.template),
    compose_sealed: secrets.seal(places.compose, files.compose),
  }
}

const openFiles = (
  { secrets }: Pick<Context, 'secrets'>,
  { id, template_sealed, compose_sealed }: TemplateRow,
): TemplateFiles => ({
  template: secrets.open(placesOf(id).template, template_sealed),
  compose: secrets.open(placesOf(id).compose, compose_sealed),
})

/** One of the catalogue or of the workspace, or 404. */
export async function getFound(ctx: Context, actor: Actor, id: Id<'template'>): Promise<FoundTemplate> {
  const builtin = (await readCatalogue()).get(id)
  if (builtin) return builtin
  const row = await findTemplateRow(ctx.db, actor.workspace.id, id)
  if (!row) throw notFound('This template')
  return readRow(ctx, row)
}

/** It was fine when it was saved; a later version of Slipway may read it otherwise. */
export function mustBeSound({ name, mistakes: [first] }: FoundTemplate): void {
  if (first !== undefined)
    throw conflict(
      'template_wrong',
      `The template ${name} cannot be deployed before somebody has put it right. ${toSentence(first)}`,
    )
}

export async function readRow(ctx: Pick<Context, 'secrets'>, row: TemplateRow): Promise<FoundTemplate> {
  const files = openFiles(ctx, row)
  const { template } = await checkTemplateOffLoop(row.workspace_id, files)
  return { ...(template ?? unread(row)), id: row.id, files, row }
}

/** What is known of it without its files. */
const unread = ({ name, description, category, listed }: TemplateRow): KnownTemplate => ({
  name,
  description,
  category,
  ...listed,
  http: null,
  inputs: [],
  notes: null,
  powers: [],
  mistakes: ['Its template.yaml cannot be read.'],
  patience: 0,
})

/** What a list shows of it beside its name. */
export const listedOf = ({ logo, links, memory_bytes, services }: KnownTemplate): ListedTemplate => ({
  logo,
  links,
  memory_bytes,
  services,
})

export const presentRow = ({ listed, updated_at, ...row }: ListedRow): z.input<typeof template> => ({
  ...row,
  ...listed,
  builtin: false,
  updated_at: updated_at.toISOString(),
})

export const presentTemplate = (found: FoundTemplate): z.input<typeof template> => ({
  id: found.id,
  name: found.name,
  description: found.description,
  category: found.category,
  ...listedOf(found),
  builtin: !found.row,
  updated_at: found.row?.updated_at.toISOString() ?? null,
})

/** Who may not read the environment of applications reads no secret of a template either. */
export function presentDetails(actor: Actor, found: FoundTemplate): z.input<typeof templateDetails> {
  const maySee = !found.row || hasPermission(actor, 'applications.manage')
  return {
    ...presentTemplate(found),
    inputs: maySee ? found.inputs : found.inputs.map(withoutSecret),
    http: found.http,
    notes: maySee ? found.notes : null,
    powers: found.powers,
    files: maySee ? found.files : null,
  }
}

function withoutSecret(input: Input): Input {
  const { name, type, default: value } = input
  const isSecret = type === 'secret' || looksSecret(name) || holdsPassword(value ?? '')
  return isSecret ? { ...input, default: null } : input
}

export const getTemplate = async (ctx: Context, actor: Actor, id: Id<'template'>) =>
  presentDetails(actor, await getFound(ctx, actor, id))
