import type { FakeKey } from '../account.ts'
import type { Answer, Call, Route } from '../answer.ts'
import { fingerprintOf } from '../public-key.ts'
import { hetznerError, invalid, notUnique } from './errors.ts'
import { readLabels } from './labels.ts'
import { named, page, time } from './pages.ts'

/** SSH keys: neither a name nor a key is there twice in a project. */
export const keyRoutes: Route[] = [
  { method: 'GET', path: '/v1/ssh_keys', deed: 'look', answer: listKeys },
  { method: 'POST', path: '/v1/ssh_keys', deed: 'add key', answer: addKey },
  {
    method: 'GET',
    path: '/v1/ssh_keys/:id',
    deed: 'look',
    answer: (call) => ({ status: 200, body: { ssh_key: show(getKey(call)) } }),
  },
  { method: 'DELETE', path: '/v1/ssh_keys/:id', deed: 'remove key', answer: removeKey },
]

export const keysOf = ({ state, account }: Call) => state.keys.filter((key) => key.account === account)

function listKeys(call: Call) {
  const fingerprint = call.url.searchParams.get('fingerprint')
  const found = named(call, keysOf(call)).filter(
    ({ publicKey }) => fingerprint === null || fingerprintOf(publicKey) === fingerprint,
  )
  return page(call, 'ssh_keys', found, show)
}

function addKey(call: Call): Answer {
  const { name, public_key: publicKey, labels } = call.body ?? {}
  if (typeof name !== 'string' || name === '') throw invalid('name', 'Missing data for required field.')
  if (typeof publicKey !== 'string') throw invalid('public_key', 'Missing data for required field.')
  const fingerprint = fingerprintOf(publicKey)
  if (fingerprint === undefined) throw invalid('public_key', 'is not a valid SSH key')
  readLabels(labels)
  for (const other of keysOf(call)) {
    if (fingerprintOf(other.publicKey) === fingerprint)
      throw notUnique('public_key', 'SSH key with the same fingerprint already exists')
    if (other.name === name) throw notUnique('name', 'SSH key name is already used')
  }
  const key = { id: call.state.nextId(), account: call.account, name, publicKey, created: new Date() }
  call.state.keys.push(key)
  return { status: 201, body: { ssh_key: show(key) } }
}

function getKey(call: Call): FakeKey {
  const found = keysOf(call).find(({ id }) => id === call.params['id'])
  if (!found) throw hetznerError('not_found', `SSH key with ID '${call.params['id']}' not found`)
  return found
}

function removeKey(call: Call): Answer {
  call.state.keys.splice(call.state.keys.indexOf(getKey(call)), 1)
  return { status: 204 }
}

const show = ({ id, name, publicKey, created }: FakeKey) => ({
  id: Number(id),
  name,
  fingerprint: fingerprintOf(publicKey),
  public_key: publicKey,
  labels: {},
  created: time(created),
})
