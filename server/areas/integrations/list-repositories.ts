import { z } from 'zod'
import type { Context } from '../../context.ts'
import { paginateRows, type SearchQuery } from '../../platform/page.ts'
import type { Integration } from './integration.ts'
import { type Repository, repositoryAnswer } from './repository.ts'
import { readPages } from './token.ts'

/** Cache lifetime in seconds, for searches while typing. */
const freshFor = 60_000

interface Kept {
  found: Promise<Repository[]>
  until: number
}

const keeps = new WeakMap<Context, Map<number, Kept>>()

/** Lists accessible repositories, most recently pushed first. */
export async function listRepositories(
  ctx: Context,
  integration: Integration,
  { q = '', ...query }: SearchQuery,
) {
  const words = q.toLowerCase().split(/\s+/)
  const all = await allRepositories(ctx, integration)
  const fitting = all.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
  const { rows, page } = paginateRows(fitting, ({ pushed_at, name }) => `${pushed_at ?? ''} ${name}`, query)
  return { repositories: rows, page }
}

function allRepositories(ctx: Context, integration: Integration): Promise<Repository[]> {
  const kept = keeps.get(ctx) ?? new Map<number, Kept>()
  keeps.set(ctx, kept)
  for (const [id, { until }] of kept) if (until < Date.now()) kept.delete(id)
  const known = kept.get(integration.installation_id)
  if (known) return known.found
  const found = readAll(ctx, integration)
  kept.set(integration.installation_id, { found, until: Date.now() + freshFor })
  // Failures are not cached.
  found.catch(() => kept.delete(integration.installation_id))
  return found
}

const answer = z.object({ repositories: z.array(repositoryAnswer) }).transform((page) => page.repositories)

const readAll = (ctx: Context, integration: Integration) =>
  readPages(
    ctx,
    integration,
    { permissions: { metadata: 'read' } },
    '/installation/repositories?per_page=100',
    answer,
  )
