import { z } from 'zod'
import type { Api } from '../api-client.ts'
import type { CloudErrorKind } from '../cloud-errors.ts'

const refusal = z.object({ error: z.object({ code: z.string(), message: z.string().catch('') }) })
const pages = z.object({
  meta: z.object({ pagination: z.object({ next_page: z.number().int().positive() }) }),
})

/** Codes are listed at https://docs.hetzner.cloud. */
const kinds: Record<string, CloudErrorKind> = {
  unauthorized: 'token',
  forbidden: 'right',
  token_readonly: 'right',
  resource_limit_exceeded: 'quota',
  resource_unavailable: 'sold_out',
  placement_error: 'sold_out',
  uniqueness_error: 'name_taken',
  protected: 'invalid',
  locked: 'locked',
  conflict: 'locked',
  maintenance: 'away',
  unavailable: 'away',
  service_error: 'away',
  server_error: 'away',
  timeout: 'away',
}

export const hetznerApi: Api = {
  name: 'Hetzner',
  tokenHelp:
    'In the Hetzner Console, open the project, then Security and API tokens, and generate one with the permission Read & Write.',
  maxPageSize: '50',
  base: (config) => config.HCLOUD_API_URL,
  parseError(body) {
    const { data } = refusal.safeParse(body)
    return data?.error ?? { code: '', message: '' }
  },
  kindOf: (_, { code }) => kinds[code],
  next(body) {
    const { data } = pages.safeParse(body)
    return data && { page: String(data.meta.pagination.next_page) }
  },
}
