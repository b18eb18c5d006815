import { createHash } from 'node:crypto'
import type { CloudState } from '../account.ts'
import type { Call, Route } from '../answer.ts'
import { page, scoped } from './answers.ts'
import { images, regions, sizes } from './catalogue.ts'

/** Where a size is sold out it does not name the region for it. */
export const sizesNow = ({ soldOut }: CloudState) =>
  sizes.map((size) => ({
    ...size,
    regions: size.regions.filter((region) => !soldOut.has(`${size.slug}@${region}`)),
  }))

const showRegion = (call: Call) => (region: (typeof regions)[number]) => ({
  ...region,
  features: ['backups', 'ipv6', 'metadata', 'install_agent', 'storage', 'image_transfer'],
  sizes: sizesNow(call.state)
    .filter((size) => size.regions.includes(region.slug))
    .map(({ slug }) => slug),
})

function lookAtAccount({ state, account }: Call) {
  const hash = createHash('sha256').update(account).digest('hex')
  return {
    status: 200,
    body: {
      account: {
        droplet_limit: state.quota,
        floating_ip_limit: 3,
        volume_limit: 100,
        email: `${account}@example.com`,
        name: account,
        uuid: hash.slice(0, 32),
        email_verified: true,
        status: 'active',
        status_message: '',
        team: { uuid: hash.slice(32), name: 'My Team' },
      },
    },
  }
}

function listImages(call: Call) {
  const type = call.url.searchParams.get('type')
  const kept = images.filter(
    (image) => type === null || (type === 'distribution' ? 'base' : type) === image.type,
  )
  const own = call.url.searchParams.get('private') === 'true'
  return page(call, 'images', own ? [] : kept, (image) => image)
}

export const listRoutes: Route[] = [
  scoped('account:read', { method: 'GET', path: '/v2/account', deed: 'look', answer: lookAtAccount }),
  scoped('regions:read', {
    method: 'GET',
    path: '/v2/regions',
    deed: 'list',
    answer: (call) => page(call, 'regions', regions, showRegion(call)),
  }),
  scoped('sizes:read', {
    method: 'GET',
    path: '/v2/sizes',
    deed: 'list',
    answer: (call) => page(call, 'sizes', sizesNow(call.state), (size) => size),
  }),
  scoped('image:read', { method: 'GET', path: '/v2/images', deed: 'list', answer: listImages }),
]
