import type { FakeServer } from '../account.ts'
import type { Call, Route } from '../answer.ts'
import { need, page, refuse } from './answers.ts'
import { create } from './create.ts'
import { addressOf, show } from './show.ts'

const own = ({ state, account }: Call) => state.servers.filter((one) => one.account === account)

function find(call: Call): FakeServer {
  const found = own(call).find(({ id }) => id === call.params['id'])
  if (!found) throw refuse(404, 'instance not found')
  return found
}

function destroy(call: Call) {
  need(call, 'subscriptions')
  const instance = find(call)
  if (instance.status === 'deleting')
    throw refuse(400, 'Unable to destroy server: Server is already pending destruction.')
  // It says so for a while after the order, and with this status.
  if (isLocked(instance))
    throw refuse(500, 'Unable to destroy server: Unable to remove VM: Server is currently locked')
  call.destroyServer(instance)
  return { status: 204 }
}

const isLocked = ({ status, created }: FakeServer) =>
  status === 'starting' && Date.now() - created.getTime() < 500

function list(call: Call) {
  need(call, 'subscriptions_view', 'subscriptions')
  const by = (name: string) => call.url.searchParams.get(name)
  const fits = (name: string, value: string) => by(name) === null || by(name) === value
  const tag = by('tag')?.toLowerCase()
  const found = own(call).filter(
    (one) =>
      fits('label', one.name) &&
      fits('region', one.region) &&
      fits('main_ip', addressOf(one)) &&
      fits('hostname', one.labels['hostname'] ?? '') &&
      (tag === undefined || one.tags.some((other) => other.toLowerCase() === tag)),
  )
  return page(call, 'instances', found, show)
}

export const instanceRoutes: Route[] = [
  { method: 'GET', path: '/v2/instances', deed: 'list', answer: list },
  { method: 'POST', path: '/v2/instances', deed: 'create', answer: create },
  {
    method: 'GET',
    path: '/v2/instances/:id',
    deed: 'look',
    answer(call) {
      need(call, 'subscriptions_view', 'subscriptions')
      return { status: 200, body: { instance: show(find(call)) } }
    },
  },
  { method: 'DELETE', path: '/v2/instances/:id', deed: 'destroy', answer: destroy },
]
