import { randomBytes } from 'node:crypto'
import { type Call, type CloudApi, fingerprintOf, formatTime, keyRoutes, ok, serverRoutes } from './api.ts'
import { type CloudOptions, startCloud } from './cloud.ts'
import catalog from './hetzner.json' with { type: 'json' }
import { hetznerError, invalid, notUnique, page } from './hetzner/errors.ts'
import * as servers from './hetzner/servers.ts'

const { locations, server_types: serverTypes, images } = catalog
const { pricesOf, showAction, showServer, showType, vatRate } = servers

const messages = {
  missing: 'Missing data for required field.',
  unknown: 'Unknown field.',
  invalid: 'Not a valid value.',
}

/** An IPv4 address is charged separately; the price of a server does not include it. */
function showPricing({ state }: Call) {
  const prices = locations.map(({ name }) => ({ location: name, ...pricesOf(0.5) }))
  const server_types = serverTypes.map((type) => {
    const { id, name, prices: typePrices } = showType(state, type)
    return { id, name, prices: typePrices }
  })
  const primary_ips = [{ type: 'ipv4', prices }]
  return ok({ pricing: { currency: 'EUR', vat_rate: vatRate.toFixed(2), primary_ips, server_types } })
}

/** Deprecated images are left out unless requested. */
function listImages(call: Call) {
  const types = call.url.searchParams.getAll('type')
  const includesDeprecated = call.url.searchParams.get('include_deprecated') === 'true'
  const found = images.filter(
    ({ type, deprecated }) =>
      (types.length === 0 || types.includes(type)) && (includesDeprecated || deprecated === null),
  )
  return page(call, 'images', found)
}

function removedEndpoint(): never {
  throw hetznerError('deprecated_api_endpoint', 'API functionality was removed', {
    announcement: 'https://docs.hetzner.cloud/changelog#2026-06-02-datacenters-deprecated',
  })
}

const routes: CloudApi['routes'] = {
  'GET /v1/locations': ['list', (call) => page(call, 'locations', locations)],
  // Removed in October 2026; Slipway still asks, for older copies of the API.
  'GET /v1/datacenters': ['list', removedEndpoint],
  'GET /v1/server_types': [
    'list',
    (call) => page(call, 'server_types', serverTypes, (type) => showType(call.state, type)),
  ],
  'GET /v1/images': ['list', listImages],
  'GET /v1/pricing': ['look', showPricing],
  ...keyRoutes({
    path: '/v1/ssh_keys',
    field: 'public_key',
    page,
    show: ({ id, name, publicKey, created }) => ({
      id: Number(id),
      name,
      fingerprint: fingerprintOf(publicKey),
      public_key: publicKey,
      labels: {},
      created: formatTime(created),
    }),
    notFound: (id) => hetznerError('not_found', `SSH key with ID '${id}' not found`),
    blankName: () => invalid('name', messages.missing),
    invalidKey: () => invalid('public_key', 'is not a valid SSH key'),
    conflict: (existing, name, fingerprint) => {
      if (fingerprintOf(existing.publicKey) === fingerprint)
        return notUnique('public_key', 'SSH key with the same fingerprint already exists')
      return existing.name === name ? notUnique('name', 'SSH key name is already used') : undefined
    },
  }),
  ...serverRoutes({
    path: '/v1/servers',
    name: 'server',
    page,
    show: showServer,
    notFound: (id) => hetznerError('not_found', `server with ID '${id}' not found`),
    filter: servers.filterServers,
    create: servers.createServer,
    checkDeletion: servers.checkDeletion,
    deleted: (_, server) => ok({ action: showAction('delete_server', server) }),
  }),
}

function makeApi(): CloudApi {
  let lastId = 104_000_000
  return {
    document: 'hetzner',
    routes,
    nextId: () => String(++lastId),
    newToken: () => randomBytes(48).toString('base64url').replaceAll(/[-_]/g, 'x'),
    errors: {
      unauthorized: () => hetznerError('unauthorized', 'unable to authenticate'),
      forbidden: () => hetznerError('token_readonly', 'token is only allowed to perform GET requests'),
      notFound: () => hetznerError('not_found', 'page not found'),
      badJson: () => hetznerError('json_error', 'invalid JSON input'),
      rateLimited: () => hetznerError('rate_limit_exceeded', 'limit of 3600 requests per hour reached'),
      serverError: () => hetznerError('server_error', 'internal server error'),
      unavailable: () => hetznerError('unavailable', 'the API is currently not available'),
    },
    invalid: ({ field, reason }) => invalid(field, messages[reason]),
    hasRateHeaders: true,
  }
}

/** Hetzner Cloud's API as documented in November 2026: there are no datacenters any more. */
export async function startFakeHetzner(options?: CloudOptions) {
  const cloud = await startCloud(makeApi(), options)
  return { ...cloud, env: { HCLOUD_API_URL: cloud.url } }
}
