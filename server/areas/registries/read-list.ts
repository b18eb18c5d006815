import { z } from 'zod'
import { serviceFailed } from '../../errors.ts'
import type { FetchReply } from '../../platform/net/safe-fetch.ts'
import { parseJsonReply } from '../../call-service.ts'
import type { RegistryClient } from './registry-client.ts'

export interface RegistryList {
  path: string
  field: 'tags' | 'repositories'
  name: RegExp
}

/** A hostile registry could return pages without end, so limit pages and names. */
const mostPages = 20
const onePage = 1_000
const mostNames = 10_000

export async function readRegistryList(
  visit: RegistryClient,
  { path, field, name }: RegistryList,
): Promise<string[] | undefined> {
  const schema = z.object({ [field]: z.custom<unknown[]>(Array.isArray).nullable() })
  const all = new Set<string>()
  const seen = new Set<string>()
  let next: string | undefined = `${path}?n=${onePage}`
  for (let page = 0; next && !seen.has(next) && page < mostPages && all.size < mostNames; page++) {
    seen.add(next)
    const answer: FetchReply = await visit.get(next)
    if (answer.status === 404 || answer.status === 405 || answer.status === 400)
      return page === 0 ? undefined : [...all]
    if (answer.status !== 200) throw serviceFailed(visit.who, `status ${answer.status}`)
    // Some registries ignore the page size, so limit the entries as well.
    for (const entry of parseJsonReply(visit.who, answer, schema)[field] ?? []) {
      if (all.size === mostNames) break
      if (typeof entry === 'string' && name.test(entry)) all.add(entry)
    }
    next = findNextPath(answer, path)
  }
  return [...all]
}

/** The registry may have another name for itself behind a proxy, so only the query is taken. */
function findNextPath({ headers, url }: FetchReply, path: string): string | undefined {
  const [, next] = /<([^<>]+)>;\s*rel="?next"?/.exec(String(headers['link'] ?? '')) ?? []
  return next && URL.canParse(next, url.href) ? path + new URL(next, url).search : undefined
}
