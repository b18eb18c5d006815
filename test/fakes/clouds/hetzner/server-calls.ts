import type { FakeServer } from '../account.ts'
import type { Answer, Call, Route } from '../answer.ts'
import type { actionsOf } from './actions.ts'
import { images, locations, serverTypes } from './catalogue.ts'
import { showImage, showType } from './catalogue-calls.ts'
import { hetznerError, invalid } from './errors.ts'
import { readSelector } from './labels.ts'
import { named, page, time } from './pages.ts'
import { readWanted } from './wanted.ts'

export const serverRoutes = (actions: ReturnType<typeof actionsOf>): Route[] => [
  { method: 'GET', path: '/v1/servers', deed: 'list', answer: listServers },
  {
    method: 'POST',
    path: '/v1/servers',
    deed: 'create',
    async answer(call) {
      const wanted = readWanted(call)
      const server = await call.makeServer(wanted)
      const isDone = () => server.status !== 'starting'
      const started = call.body?.['start_after_create'] !== false
      if (!started) server.status = 'off'
      return {
        status: 201,
        body: {
          server: show(call, server),
          action: actions.start('create_server', server, isDone),
          next_actions: started ? [actions.start('start_server', server, isDone)] : [],
          root_password: server.keys.length === 0 ? 'YItygq1v3GYjjMomLaKc' : null,
        },
      }
    },
  },
  {
    method: 'GET',
    path: '/v1/servers/:id',
    deed: 'look',
    answer: (call) => ({ status: 200, body: { server: show(call, getServer(call)) } }),
  },
  {
    method: 'DELETE',
    path: '/v1/servers/:id',
    deed: 'destroy',
    answer(call) {
      const server = getServer(call)
      if (server.protected) throw hetznerError('protected', 'server deletion is protected')
      if (server.status === 'deleting') throw hetznerError('locked', 'server is locked')
      call.destroyServer(server)
      const isDone = () => !call.state.servers.includes(server)
      return { status: 200, body: { action: actions.start('delete_server', server, isDone) } }
    },
  },
]

const statuses = 'initializing starting running stopping off deleting rebuilding migrating unknown'.split(' ')

function listServers(call: Call): Answer {
  const { searchParams } = call.url
  const wanted = searchParams.getAll('status')
  if (!wanted.every((status) => statuses.includes(status))) throw invalid('status', 'is not allowed')
  const selector = searchParams.get('label_selector')
  const fits = selector ? readSelector(selector) : () => true
  const own = call.state.servers.filter(({ account }) => account === call.account)
  const found = named(call, own).filter(
    (server) => fits(server.labels) && (wanted.length === 0 || wanted.includes(statusOf(server))),
  )
  return page(call, 'servers', found, (server) => show(call, server))
}

function getServer(call: Call): FakeServer {
  const { id } = call.params
  if (!/^\d+$/.test(id ?? '')) throw invalid('id', 'must be an integer')
  const found = call.state.servers.find((one) => one.account === call.account && one.id === id)
  if (!found) throw hetznerError('not_found', `server with ID '${id}' not found`)
  return found
}

const statusOf = ({ status }: FakeServer) => (status === 'starting' ? 'initializing' : status)

function show({ state }: Call, server: FakeServer) {
  const type = serverTypes.find(({ name }) => name === server.type)
  if (!type) throw new Error(`There is no type ${server.type} at Hetzner.`)
  const image = images.find(({ id, name }) => String(id) === server.image || name === server.image)
  const prefix = `2001:db8:${Number(server.id).toString(16).slice(-4)}:1::`
  return {
    id: Number(server.id),
    name: server.name,
    status: statusOf(server),
    created: time(server.created),
    public_net: {
      ipv4: server.address === '' ? null : { id: 1, ip: server.address, blocked: false, dns_ptr: 'static' },
      ipv6: { id: 2, ip: `${prefix}/64`, blocked: false, dns_ptr: [] },
      floating_ips: [],
      firewalls: [],
    },
    private_net: [],
    server_type: showType(type, state),
    location: locations.find(({ name }) => name === server.region),
    image: image ? showImage(image) : null,
    iso: null,
    rescue_enabled: false,
    locked: server.status === 'deleting',
    backup_window: null,
    outgoing_traffic: null,
    ingoing_traffic: null,
    included_traffic: 21_990_232_555_520,
    protection: { delete: server.protected ?? false, rebuild: server.protected ?? false },
    labels: server.labels,
    volumes: [],
    load_balancers: [],
    primary_disk_size: type.disk,
    placement_group: null,
  }
}
