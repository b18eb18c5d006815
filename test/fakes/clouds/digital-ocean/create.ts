import { z } from 'zod'
import type { Call } from '../answer.ts'
import { need, unfit } from './answers.ts'
import { images, regions } from './catalogue.ts'
import { isNamed, keysOf } from './keys.ts'
import { sizesNow } from './lists.ts'
import { actionOf, show } from './show.ts'

const key = z.union([z.string(), z.number().int()])
export const tag = z.string({ error: "Name can't be blank" }).regex(/^[a-zA-Z0-9:_-]{1,255}$/, {
  error: 'Tags may only contain letters, numbers, colons, dashes, and underscores.',
})
const wanted = z.object({
  name: z
    .string({ error: "Name can't be blank" })
    .max(255)
    .regex(/^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/, {
      error: 'Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)',
    }),
  region: z.string({ error: 'You specified an invalid region for Droplet creation.' }),
  size: z.string({ error: 'You specified an invalid size for Droplet creation.' }),
  image: z.union([z.string(), z.number().int()], {
    error: 'You specified an invalid image for Droplet creation.',
  }),
  ssh_keys: z.array(key, { error: 'You specified invalid ssh key ids for Droplet creation.' }).default([]),
  tags: z.array(tag).nullable().default([]),
  user_data: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= 65_536, {
      error: 'User data must be at most 64 KiB.',
    })
    .default(''),
  ipv6: z.boolean().default(false),
  monitoring: z.boolean().default(false),
  backups: z.boolean().default(false),
})

export async function create(call: Call) {
  const { state, account } = call
  const { data, error } = wanted.safeParse(call.body ?? {})
  if (!data) throw unfit(error.issues[0]?.message ?? 'Invalid request.')
  const tags = data.tags ?? []
  if (tags.length > 0) need(call, 'tag:create')
  if (data.ssh_keys.length > 0) need(call, 'ssh_key:read')
  const region = regions.find(({ slug }) => slug === data.region)
  if (!region) throw unfit('You specified an invalid region for Droplet creation.')
  if (!region.available) throw unfit('Region is not available')
  const size = sizesNow(state).find(({ slug }) => slug === data.size)
  if (!size) throw unfit('You specified an invalid size for Droplet creation.')
  if (!size.regions.includes(region.slug)) throw unfit('Size is not available in this region.')
  const image = images.find(({ slug, id }) => slug === data.image || String(id) === String(data.image))
  if (!image) throw unfit('You specified an invalid image for Droplet creation.')
  if (image.min_disk_size > size.disk) throw unfit('The image you selected does not fit on this size.')
  const keys = data.ssh_keys.map((by) => {
    const found = keysOf(call).find((one) => isNamed(one, by))
    if (!found) throw unfit(`${by} are invalid key identifiers for Droplet creation.`)
    return found
  })
  if (state.servers.filter((one) => one.account === account).length >= state.quota)
    throw unfit('creating this/these droplet(s) will exceed your droplet limit')
  const droplet = await call.makeServer({
    name: data.name,
    region: region.slug,
    type: size.slug,
    image: image.slug,
    tags,
    keys,
    userData: data.user_data,
  })
  const action = actionOf(droplet)
  return {
    status: 202,
    body: {
      droplet: show(call, droplet),
      links: { actions: [{ id: action.id, rel: 'create', href: `${state.url}/v2/actions/${action.id}` }] },
    },
  }
}
