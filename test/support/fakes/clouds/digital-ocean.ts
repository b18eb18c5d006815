import { createHash, randomBytes } from 'node:crypto'
import type { FakeKey } from './account.ts'
import { addKey, type Api, type Call, fingerprintOf, ok, ownKeys, removeKey, type Routes } from './answer.ts'
import { type CloudOptions, startCloud } from './cloud.ts'
import { forbidden, missing, page, refuse, scoped, unfit } from './digital-ocean/answers.ts'
import { images, regions } from './digital-ocean/catalogue.ts'
import * as droplets from './digital-ocean/droplets.ts'

const { findDroplet, isNamed, showDroplet, showRegion, sizesNow } = droplets

const showKey = ({ id, publicKey, name }: FakeKey) => ({
  id: Number(id),
  fingerprint: fingerprintOf(publicKey),
  public_key: publicKey,
  name,
})

const findKey = (call: Call) => {
  const found = ownKeys(call).find((key) => isNamed(key, call.params['id']))
  if (!found) throw missing()
  return found
}

function createKey(call: Call) {
  const { name, public_key: publicKey } = call.body
  if (typeof name !== 'string' || name.trim() === '') throw unfit("Name can't be blank")
  const fingerprint = fingerprintOf(publicKey)
  if (!fingerprint) throw unfit('Key invalid, key should be of the format `type key [comment]`')
  if (ownKeys(call).some((key) => isNamed(key, fingerprint)))
    throw unfit('SSH Key is already in use on your account')
  return { status: 201, body: { ssh_key: showKey(addKey(call, name, String(publicKey))) } }
}

function getAccount({ state, account }: Call) {
  const hash = createHash('sha256').update(account).digest('hex')
  return ok({
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
  })
}

/** `distribution` stands for images of the provider, `application` for those of the marketplace. */
function listImages(call: Call) {
  const type = call.url.searchParams.get('type')
  const wanted = type === 'distribution' ? 'base' : type === 'application' ? 'snapshot' : type
  const isPrivate = call.url.searchParams.get('private') === 'true'
  const found = images.filter((image) => !isPrivate && (wanted === null || wanted === image.type))
  return page(call, 'images', found, (image) => image)
}

const routes: Routes = {
  'GET /v2/account': scoped('account:read', 'look', getAccount),
  'GET /v2/regions': scoped('regions:read', 'list', (call) =>
    page(call, 'regions', regions, showRegion(call.state)),
  ),
  'GET /v2/sizes': scoped('sizes:read', 'list', (call) =>
    page(call, 'sizes', sizesNow(call.state), (size) => size),
  ),
  'GET /v2/images': scoped('image:read', 'list', listImages),
  'GET /v2/account/keys': scoped('ssh_key:read', 'list', (call) =>
    page(call, 'ssh_keys', ownKeys(call), showKey),
  ),
  'POST /v2/account/keys': scoped('ssh_key:create', 'add key', createKey),
  'GET /v2/account/keys/:id': scoped('ssh_key:read', 'look', (call) =>
    ok({ ssh_key: showKey(findKey(call)) }),
  ),
  'DELETE /v2/account/keys/:id': scoped('ssh_key:delete', 'remove key', (call) =>
    removeKey(call, findKey(call)),
  ),
  'POST /v2/tags': scoped('tag:create', 'look', droplets.addTag),
  'GET /v2/droplets': scoped('droplet:read', 'list', droplets.listDroplets),
  'POST /v2/droplets': scoped('droplet:create', 'create', droplets.createDroplet),
  'GET /v2/droplets/:id': scoped('droplet:read', 'look', (call) =>
    ok({ droplet: showDroplet(call, findDroplet(call)) }),
  ),
  'DELETE /v2/droplets/:id': scoped('droplet:delete', 'destroy', droplets.destroyDroplet),
  'GET /v2/actions/:id': scoped('actions:read', 'look', droplets.getAction),
}

function api(): Api {
  let last = 512_189_000
  return {
    routes,
    nextId: () => String(++last),
    newToken: () => `dop_v1_${randomBytes(32).toString('hex')}`,
    refusals: {
      unauthorized: () => refuse(401, 'Unauthorized', 'Unable to authenticate you'),
      readOnly: forbidden,
      missing,
      badJson: () => refuse(400, 'bad_request', 'error parsing request body'),
      tooMany: () => refuse(429, 'too_many_requests', 'API Rate limit exceeded.'),
      broken: () => refuse(500, 'server_error', 'Unexpected server-side error'),
      down: () => refuse(503, 'service_unavailable', 'Service is temporarily unavailable.'),
    },
    rateHeaders: ({ limit, remaining, reset }) => ({
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(reset),
    }),
  }
}

/** The API of DigitalOcean, version 2, as strict as the real one; from docs.digitalocean.com/reference/api. */
export async function startFakeDigitalOcean(options?: CloudOptions) {
  const cloud = await startCloud(api(), options)
  return { ...cloud, env: { DIGITALOCEAN_API_URL: cloud.url } }
}
