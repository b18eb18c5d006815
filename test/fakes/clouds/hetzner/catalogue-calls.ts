import type { CloudState } from '../account.ts'
import type { Answer, Call, Route } from '../answer.ts'
import {
  currency,
  type Image,
  images,
  ipv4Monthly,
  locations,
  priceOf,
  type ServerType,
  serverTypes,
  vat,
} from './catalogue.ts'
import { hetznerError, invalid } from './errors.ts'
import { named, page } from './pages.ts'

/** What there is to be had, and for how much. */
export const catalogueRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v1/locations',
    deed: 'look',
    answer: (call) => page(call, 'locations', named(call, locations), (one) => one),
  },
  {
    method: 'GET',
    path: '/v1/locations/:id',
    deed: 'look',
    answer: (call) => one(call, 'location', locations),
  },
  { method: 'GET', path: '/v1/datacenters', deed: 'look', answer: removed },
  { method: 'GET', path: '/v1/datacenters/:id', deed: 'look', answer: removed },
  {
    method: 'GET',
    path: '/v1/server_types',
    deed: 'look',
    answer: (call) =>
      page(call, 'server_types', named(call, serverTypes), (type) => showType(type, call.state)),
  },
  {
    method: 'GET',
    path: '/v1/server_types/:id',
    deed: 'look',
    answer: (call) => one(call, 'server_type', serverTypes, (type) => showType(type, call.state)),
  },
  { method: 'GET', path: '/v1/images', deed: 'look', answer: listImages },
  {
    method: 'GET',
    path: '/v1/images/:id',
    deed: 'look',
    answer: (call) => one(call, 'image', images, showImage),
  },
  { method: 'GET', path: '/v1/pricing', deed: 'look', answer: getPricing },
]

function one<T extends { id: number }>(
  { params }: Call,
  key: string,
  all: T[],
  show: (one: T) => object = (found) => found,
): Answer {
  const found = all.find(({ id }) => String(id) === params['id'])
  if (!found) throw hetznerError('not_found', `${key} with ID '${params['id']}' not found`)
  return { status: 200, body: { [key]: show(found) } }
}

/** Since October 2026; what they told of types stands with the types now. */
function removed(): Answer {
  throw hetznerError('deprecated_api_endpoint', 'API functionality was removed', {
    announcement: 'https://docs.hetzner.cloud/changelog#2026-06-02-datacenters-deprecated',
  })
}

export const isOver = ({ unavailableAfter }: ServerType) =>
  unavailableAfter !== undefined && new Date(unavailableAfter) < new Date()

export function showType(type: ServerType, state: CloudState) {
  const { unavailableAfter, offered, monthly, category, ...plain } = type
  const deprecation = unavailableAfter
    ? { announced: '2025-10-01T00:00:00+00:00', unavailable_after: unavailableAfter }
    : null
  return {
    ...plain,
    description: plain.name.toUpperCase(),
    category,
    storage_type: 'local',
    deprecated: deprecation !== null,
    deprecation,
    prices: offered.map((location) => ({
      location,
      price_hourly: priceOf((monthly * dearness(location)) / 624),
      price_monthly: priceOf(monthly * dearness(location)),
      included_traffic: 21_990_232_555_520,
      price_per_tb_traffic: priceOf(1),
    })),
    locations: locations
      .filter(({ name }) => offered.includes(name))
      .map(({ id, name }) => ({
        id,
        name,
        deprecation,
        available: !isOver(type) && !state.soldOut.has(`${plain.name}@${name}`),
        recommended: !deprecation,
      })),
  }
}

const dearness = (location: string) => (location === 'sin' ? 1.5 : 1)

export const showImage = ({ architecture, ...image }: Image) => ({
  ...image,
  status: 'available',
  image_size: image.type === 'snapshot' ? 2.3 : null,
  disk_size: 5,
  created: '2024-01-30T23:55:00+00:00',
  created_from: image.type === 'snapshot' ? { id: 1, name: 'old' } : null,
  bound_to: null,
  rapid_deploy: image.type === 'system',
  protection: { delete: false },
  deleted: null,
  labels: {},
  architecture,
})

/** Those that are deprecated are not among them, unless one asks for them. */
function listImages(call: Call) {
  const asked = (name: string, allowed: string[]) => {
    const given = call.url.searchParams.getAll(name)
    if (!given.every((value) => allowed.includes(value))) throw invalid(name, 'is not allowed')
    return given.length === 0 ? allowed : given
  }
  const types = asked('type', ['system', 'app', 'snapshot', 'backup'])
  const architectures = asked('architecture', ['x86', 'arm'])
  const withOld = call.url.searchParams.get('include_deprecated') === 'true'
  const found = named(call, images).filter(
    ({ type, architecture, deprecated }) =>
      types.includes(type) && architectures.includes(architecture) && (withOld || deprecated === null),
  )
  return page(call, 'images', found, showImage)
}

function getPricing({ state }: Call): Answer {
  const primary_ips = [
    {
      type: 'ipv4',
      prices: locations.map(({ name }) => ({
        location: name,
        price_hourly: priceOf(ipv4Monthly / 624),
        price_monthly: priceOf(ipv4Monthly),
      })),
    },
  ]
  const server_types = serverTypes.map((type) => {
    const { id, name, prices } = showType(type, state)
    return { id, name, prices }
  })
  return {
    status: 200,
    body: { pricing: { currency, vat_rate: vat.toFixed(2), primary_ips, server_types } },
  }
}
