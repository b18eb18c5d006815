import type { Context } from '../../context.ts'
import { paginateRows, type PageQuery } from '../../platform/page.ts'
import type { Actor } from '../../route.ts'
import { type BuiltinTemplate, readCatalog } from './catalog.ts'
import { type ListedRow, listTemplateRows, type TemplateFilter } from './store.ts'
import { presentTemplateRow, presentTemplate } from './template.ts'

/** Those of the workspace, then those of Slipway, each by name. */
export async function listTemplates(ctx: Context, actor: Actor, query: PageQuery & TemplateFilter) {
  const own = await listTemplateRows(ctx.db, actor.workspace.id, query)
  const builtin = [...(await readCatalog()).values()].filter((one) => matchesFilter(one, query))
  const all = [...own, ...builtin]
  const { rows, page } = paginateRows(all, sortKey, query, 'asc')
  return {
    templates: rows.map((one) => (isRow(one) ? presentTemplateRow(one) : presentTemplate(one))),
    page,
  }
}

/** As the rows are looked for. */
function matchesFilter({ name, description, category }: BuiltinTemplate, query: TemplateFilter): boolean {
  const wanted = (query.q ?? '').toLowerCase()
  return (
    (query.category === undefined || query.category === category) &&
    [name, description].some((text) => text.toLowerCase().includes(wanted))
  )
}

const isRow = (one: ListedRow | BuiltinTemplate): one is ListedRow => 'listed' in one

const sortKey = (one: ListedRow | BuiltinTemplate) =>
  `${isRow(one) ? 0 : 1} ${one.name.toLowerCase()} ${one.id}`
