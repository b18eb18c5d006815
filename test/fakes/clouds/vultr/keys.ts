import type { FakeKey } from '../account.ts'
import type { Call, Route } from '../answer.ts'
import { fingerprintOf } from '../public-key.ts'
import { need, page, refuse, timeOf } from './answers.ts'

const show = ({ id, created, name, publicKey }: FakeKey) => ({
  id,
  date_created: timeOf(created),
  name,
  ssh_key: publicKey,
})

export const keysOf = ({ state, account }: Call) => state.keys.filter((key) => key.account === account)

const find = (call: Call) => {
  const found = keysOf(call).find(({ id }) => id === call.params['id'])
  if (!found) throw refuse(404, 'Invalid SSH key ID.')
  return found
}

/** Neither a name nor a key has to be new. */
function add(call: Call) {
  need(call, 'subscriptions', 'provisioning')
  const { name, ssh_key: publicKey } = call.body ?? {}
  if (typeof name !== 'string' || name.trim() === '') throw refuse(400, 'Invalid name.')
  if (typeof publicKey !== 'string' || !fingerprintOf(publicKey)) throw refuse(400, 'Invalid SSH key.')
  const key = { id: call.state.nextId(), account: call.account, name, publicKey, created: new Date() }
  call.state.keys.push(key)
  return { status: 201, body: { ssh_key: show(key) } }
}

function remove(call: Call) {
  need(call, 'subscriptions', 'provisioning')
  const { keys } = call.state
  keys.splice(keys.indexOf(find(call)), 1)
  return { status: 204 }
}

export const keyRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v2/ssh-keys',
    deed: 'list',
    answer: (call) => page(call, 'ssh_keys', keysOf(call), show),
  },
  { method: 'POST', path: '/v2/ssh-keys', deed: 'add key', answer: add },
  {
    method: 'GET',
    path: '/v2/ssh-keys/:id',
    deed: 'look',
    answer: (call) => ({ status: 200, body: { ssh_key: show(find(call)) } }),
  },
  { method: 'DELETE', path: '/v2/ssh-keys/:id', deed: 'remove key', answer: remove },
]
