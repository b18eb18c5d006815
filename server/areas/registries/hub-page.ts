import { z } from 'zod'
import type { Context } from '../../context.ts'
import { callHub } from './docker-hub.ts'
import { type SearchPage, pageSize } from './search-cache.ts'
import { HubRefused } from './registry-errors.ts'

export interface HubPageRequest {
  path: string
  query?: Record<string, string>
  page: number
  token?: string | undefined
}

/** A page of a list of Docker Hub. Behind the last one there is none, and nothing on it; the first says how many there are. */
export async function readHubPage<S extends z.ZodType>(
  ctx: Context,
  { path, query, page, token }: HubPageRequest,
  item: S,
): Promise<SearchPage<z.output<S>>> {
  const schema = z.object({ count: z.number().int(), next: z.string().nullish(), results: z.array(item) })
  const asked = { path, token, query: { ...query, page: String(page), page_size: String(pageSize) } }
  try {
    const { count, next, results } = await callHub(ctx, asked, schema)
    return { items: results, total: count, next: next ? String(page + 1) : null }
  } catch (error) {
    const isBehind = error instanceof HubRefused && [400, 404].includes(error.answered) && page > 1
    if (!isBehind) throw error
    const { total } = await readHubPage(ctx, { path, page: 1, ...(query && { query }), token }, item)
    return { items: [], total, next: null }
  }
}
