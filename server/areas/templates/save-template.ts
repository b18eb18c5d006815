import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid, notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { errorSentences } from '../compose/check/finding.ts'
import { readCatalog } from './catalog.ts'
import { checkTemplateInWorker } from './template-worker.ts'
import type { TemplateFiles } from './check-template.ts'
import { deleteTemplateRow, lockAndCountTemplates, insertTemplate, type TemplateRow } from './store.ts'
import { toListedTemplate, presentTemplateDetails, loadTemplateRow, sealFiles } from './template.ts'

const most = 200

export async function createTemplate(ctx: Context, actor: Actor, files: TemplateFiles) {
  const workspaceId = actor.workspace.id
  const fields = await checked(workspaceId, files)
  const row = await transaction(ctx.db, async (trx) => {
    if ((await lockAndCountTemplates(trx, workspaceId)) >= most)
      throw conflict(
        'templates_full',
        `This workspace has ${most} templates, which is the limit. Delete one first.`,
      )
    const id = newId('template')
    const made = await insertTemplate(trx, {
      id,
      workspace_id: workspaceId,
      ...fields,
      ...sealFiles(ctx, id, files),
    })
    await emit(trx, actor, workspaceId, 'template.created', toEventTarget(made))
    return made
  })
  return presentTemplateDetails(actor, await loadTemplateRow(ctx, row))
}

export async function updateTemplate(ctx: Context, actor: Actor, id: Id<'template'>, files: TemplateFiles) {
  await mustBeOwn(id)
  const workspaceId = actor.workspace.id
  const fields = await checked(workspaceId, files)
  const changes = { ...fields, ...sealFiles(ctx, id, files), updated_at: ctx.now() }
  const row = await transaction(ctx.db, async (trx) => {
    const changed = await trx
      .updateTable('templates')
      .set(changes)
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (!changed) throw notFound('This template')
    await emit(trx, actor, workspaceId, 'template.updated', toEventTarget(changed))
    return changed
  })
  return presentTemplateDetails(actor, await loadTemplateRow(ctx, row))
}

export async function deleteTemplate(ctx: Context, actor: Actor, id: Id<'template'>): Promise<void> {
  await mustBeOwn(id)
  await transaction(ctx.db, async (trx) => {
    const deleted = await deleteTemplateRow(trx, actor.workspace.id, id)
    if (!deleted) throw notFound('This template')
    await emit(trx, actor, actor.workspace.id, 'template.deleted', toEventTarget(deleted))
  })
}

const toEventTarget = ({ id, name }: TemplateRow) => ({ kind: 'template', id, name })

async function checked(workspaceId: Id<'workspace'>, files: TemplateFiles) {
  const { problems, template } = await checkTemplateInWorker(workspaceId, files)
  const errors = { template: errorSentences(problems.template), compose: errorSentences(problems.compose) }
  const wrong = Object.entries(errors).filter(([, lines]) => lines.length > 0)
  if (!template || wrong.length > 0) throw new Invalid(Object.fromEntries(wrong))
  const { name, description, category } = template
  return { name, description, category, listed: JSON.stringify(toListedTemplate(template)) }
}

async function mustBeOwn(id: Id<'template'>): Promise<void> {
  const builtin = (await readCatalog()).get(id)
  if (builtin)
    throw conflict(
      'builtin_template',
      `Template ${builtin.name} is built in and cannot be changed. Create a copy instead.`,
    )
}
