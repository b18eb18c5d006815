import { z } from 'zod'
import type { Api } from '../api-client.ts'
import type { CloudErrorKind } from '../cloud-errors.ts'

const refusal = z.object({ id: z.string().catch(''), message: z.string() })
const pages = z.object({ links: z.object({ pages: z.object({ next: z.url() }) }) })

/** DigitalOcean uses one status and ID for most errors, so match messages. */
const kinds: [RegExp, CloudErrorKind][] = [
  [/exceed your droplet limit|droplet limit|limit .*(reached|exceeded)/i, 'quota'],
  [
    /not available in this region|region is not available|size is not available|sold out|capacity/i,
    'sold_out',
  ],
  [/pending event/i, 'locked'],
  [/invalid (ssh )?key id/i, 'no_key'],
  [/already in use on your account/i, 'name_taken'],
]

export const digitalOceanApi: Api = {
  name: 'DigitalOcean',
  tokenHelp:
    'Generate a personal access token with full access, or with these custom scopes: account:read, actions:read, all droplet scopes, image:read, regions:read, sizes:read, all ssh_key scopes, tag:create and tag:read.',
  maxPageSize: '200',
  base: (config) => config.DIGITALOCEAN_API_URL,
  parseError(body) {
    const { data } = refusal.safeParse(body)
    return { code: data?.id ?? '', message: data?.message ?? '' }
  },
  kindOf: (status, { message }) =>
    status === 422 ? kinds.find(([says]) => says.test(message))?.[1] : undefined,
  next(body) {
    const { data } = pages.safeParse(body)
    const page = data && new URL(data.links.pages.next).searchParams.get('page')
    return page ? { page } : undefined
  },
}
