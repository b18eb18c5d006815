import type { FakeServer } from '../account.ts'
import type { Call, Route } from '../answer.ts'
import { missing, need, page, scoped, unfit } from './answers.ts'
import { create, tag } from './create.ts'
import { actionOf, isLocked, show } from './show.ts'

const own = ({ state, account }: Call) => state.servers.filter((one) => one.account === account)

function destroy(call: Call) {
  const droplet = find(call)
  if (isLocked(droplet)) throw unfit('Droplet already has a pending event.')
  call.destroyServer(droplet)
  return { status: 204 }
}

function find(call: Call): FakeServer {
  const found = own(call).find(({ id }) => id === call.params['id'])
  if (!found) throw missing()
  return found
}

function list(call: Call) {
  const tagged = call.url.searchParams.get('tag_name')
  if (tagged !== null) need(call, 'tag:read')
  const name = call.url.searchParams.get('name')
  if (tagged !== null && name !== null) throw unfit('tag_name and name can not be combined')
  const found = own(call).filter(
    (one) =>
      (tagged === null || one.tags.some((other) => other.toLowerCase() === tagged.toLowerCase())) &&
      (name === null || one.name.toLowerCase() === name.toLowerCase()),
  )
  return page(call, 'droplets', found, (one) => show(call, one))
}

function lookAtAction(call: Call) {
  const found = own(call)
    .map(actionOf)
    .find(({ id }) => String(id) === call.params['id'])
  if (!found) throw missing()
  return { status: 200, body: { action: found } }
}

/** It is there with the first droplet that has it; made beforehand, nothing has it yet. */
function addTag({ body }: Call) {
  const { data, error } = tag.safeParse(body?.['name'])
  if (data === undefined) throw unfit(error.issues[0]?.message ?? 'Invalid request.')
  return { status: 201, body: { tag: { name: data, resources: { count: 0, droplets: { count: 0 } } } } }
}

export const dropletRoutes: Route[] = [
  scoped('tag:create', { method: 'POST', path: '/v2/tags', deed: 'look', answer: addTag }),
  scoped('droplet:read', { method: 'GET', path: '/v2/droplets', deed: 'list', answer: list }),
  scoped('droplet:create', { method: 'POST', path: '/v2/droplets', deed: 'create', answer: create }),
  scoped('droplet:read', {
    method: 'GET',
    path: '/v2/droplets/:id',
    deed: 'look',
    answer: (call) => ({ status: 200, body: { droplet: show(call, find(call)) } }),
  }),
  scoped('droplet:delete', { method: 'DELETE', path: '/v2/droplets/:id', deed: 'destroy', answer: destroy }),
  scoped('droplet:read', {
    method: 'GET',
    path: '/v2/droplets/:id/actions',
    deed: 'list',
    answer: (call) => page(call, 'actions', [actionOf(find(call))], (one) => one),
  }),
  scoped('actions:read', { method: 'GET', path: '/v2/actions/:id', deed: 'look', answer: lookAtAction }),
]
