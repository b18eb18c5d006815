import type { Area } from '../../area.ts'
import * as contract from '../../../contract/templates.ts'
import { type Actor, route, successReply } from '../../route.ts'
import { checkTemplateInWorker } from './template-worker.ts'
import { deleteNotes, deployTemplate, getNotes, reviewTemplate } from './deploy-template.ts'
import { draftTemplate } from './draft-template.ts'
import { createTemplate, deleteTemplate, updateTemplate } from './save-template.ts'
import { getTemplate, presentTemplate, presentTemplateRow } from './template.ts'
import type { Context } from '../../context.ts'
import { type PageQuery, paginateRows } from '../../platform/pagination.ts'
import { type BuiltinTemplate, readCatalog } from './catalog.ts'
import { type ListedRow, listTemplateRows, type TemplateFilter } from './store.ts'

async function listTemplates(ctx: Context, actor: Actor, query: PageQuery & TemplateFilter) {
  const own = await listTemplateRows(ctx.db, actor.workspace.id, query)
  const builtin = [...(await readCatalog()).values()].filter((template) => matchesFilter(template, query))
  const all = [...own, ...builtin]
  const { rows, page } = paginateRows(all, sortKey, query, 'asc')
  return {
    templates: rows.map((row) => (isRow(row) ? presentTemplateRow(row) : presentTemplate(row))),
    page,
  }
}

function matchesFilter({ name, description, category }: BuiltinTemplate, query: TemplateFilter): boolean {
  const search = (query.q ?? '').toLowerCase()
  return (
    (query.category === undefined || query.category === category) &&
    [name, description].some((text) => text.toLowerCase().includes(search))
  )
}

const isRow = (template: ListedRow | BuiltinTemplate): template is ListedRow => 'listed' in template

const sortKey = (template: ListedRow | BuiltinTemplate) =>
  `${isRow(template) ? 0 : 1} ${template.name.toLowerCase()} ${template.id}`

const routes = [
  route(contract.listTemplates, (ctx, { caller, query }) => listTemplates(ctx, caller, query)),
  route(contract.createTemplate, async (ctx, { caller, body }) => ({
    template: await createTemplate(ctx, caller, body),
  })),
  route(contract.checkTemplate, async (_ctx, { caller, body }) => {
    const { problems, template } = await checkTemplateInWorker(caller.workspace.id, body)
    return { problems, template: template && { ...template, builtin: false } }
  }),
  route(contract.getTemplate, async (ctx, { caller, params }) => ({
    template: await getTemplate(ctx, caller, params.id),
  })),
  route(contract.updateTemplate, async (ctx, { caller, params, body }) => ({
    template: await updateTemplate(ctx, caller, params.id, body),
  })),
  route(contract.deleteTemplate, async (ctx, { caller, params }) => {
    await deleteTemplate(ctx, caller, params.id)
    return successReply
  }),
  route(contract.reviewTemplate, async (ctx, { caller, params, body }) => ({
    review: await reviewTemplate(ctx, caller, params.id, body),
  })),
  route(contract.deployTemplate, (ctx, { caller, params, body }) =>
    deployTemplate(ctx, caller, params.id, body),
  ),
  route(contract.draftTemplate, async (ctx, { caller, params }) => ({
    files: await draftTemplate(ctx, caller, params.id),
  })),
  route(contract.getNotes, async (ctx, { caller, params }) => ({
    notes: await getNotes(ctx, caller, params.id),
  })),
  route(contract.deleteNotes, async (ctx, { caller, params }) => {
    await deleteNotes(ctx, caller, params.id)
    return successReply
  }),
]

export const templatesArea: Area = {
  name: 'templates',
  routes,
}
