import type { FakeKey } from '../account.ts'
import type { Call, Route } from '../answer.ts'
import { fingerprintOf } from '../public-key.ts'
import { missing, page, scoped, unfit } from './answers.ts'

const show = ({ id, publicKey, name }: FakeKey) => ({
  id: Number(id),
  fingerprint: fingerprintOf(publicKey),
  public_key: publicKey,
  name,
})

export const keysOf = ({ state, account }: Call) => state.keys.filter((key) => key.account === account)

/** By its id or its fingerprint. */
export const isNamed = (key: FakeKey, by: unknown) =>
  key.id === String(by) || fingerprintOf(key.publicKey) === by

const find = (call: Call) => {
  const found = keysOf(call).find((key) => isNamed(key, call.params['id']))
  if (!found) throw missing()
  return found
}

function add(call: Call) {
  const { name, public_key: publicKey } = call.body ?? {}
  if (typeof name !== 'string' || name.trim() === '') throw unfit("Name can't be blank")
  const fingerprint = typeof publicKey === 'string' ? fingerprintOf(publicKey) : undefined
  if (typeof publicKey !== 'string' || !fingerprint)
    throw unfit('Key invalid, key should be of the format `type key [comment]`')
  if (keysOf(call).some((key) => isNamed(key, fingerprint)))
    throw unfit('SSH Key is already in use on your account')
  const key = { id: call.state.nextId(), account: call.account, name, publicKey, created: new Date() }
  call.state.keys.push(key)
  return { status: 201, body: { ssh_key: show(key) } }
}

function remove(call: Call) {
  const { keys } = call.state
  keys.splice(keys.indexOf(find(call)), 1)
  return { status: 204 }
}

export const keyRoutes: Route[] = [
  scoped('ssh_key:read', {
    method: 'GET',
    path: '/v2/account/keys',
    deed: 'list',
    answer: (call) => page(call, 'ssh_keys', keysOf(call), show),
  }),
  scoped('ssh_key:create', { method: 'POST', path: '/v2/account/keys', deed: 'add key', answer: add }),
  scoped('ssh_key:read', {
    method: 'GET',
    path: '/v2/account/keys/:id',
    deed: 'look',
    answer: (call) => ({ status: 200, body: { ssh_key: show(find(call)) } }),
  }),
  scoped('ssh_key:delete', {
    method: 'DELETE',
    path: '/v2/account/keys/:id',
    deed: 'remove key',
    answer: remove,
  }),
]
