import { z } from 'zod'
import type { FakeServer } from '../account.ts'
import { type Answer, type Call, isFull, ok, ownKeys, ownServers, Refusal, timeOf } from '../answer.ts'
import { plans, regions, systems } from './catalogue.ts'

export const refuse = (status: number, error: string) => new Refusal(status, { error, status })
export const forbidden = () => refuse(403, 'You are not authorized to perform this operation.')

const everything =
  'manage_users subscriptions_view subscriptions provisioning billing support abuse dns upgrade objstore loadbalancer firewall alerts'

/** What the user of a key may do. Keys have no rights of their own. */
export function aclsOf({ rights }: Pick<Call, 'rights'>): string[] {
  if (Array.isArray(rights)) return rights
  return rights === 'all' ? everything.split(' ') : ['subscriptions_view']
}

/** Who may manage users may do everything. */
export function need(call: Call, ...oneOf: string[]): void {
  if (!aclsOf(call).some((acl) => acl === 'manage_users' || oneOf.includes(acl))) throw forbidden()
}

const cursorOf = (way: 'next' | 'prev', at: number) => Buffer.from(`${way}__${at}`).toString('base64')

/** One page of a list. Other pages are named by a cursor, or by an empty text where there are none. */
export function page<T extends object>(
  { url, state }: Call,
  key: string,
  all: T[],
  show: (one: T) => object = (one) => one,
): Answer {
  const asked = url.searchParams.get('per_page') ?? '100'
  if (!/^[1-9]\d*$/.test(asked) || Number(asked) > 500) throw refuse(400, 'Invalid per_page value.')
  const size = Math.min(Number(asked), state.mostPerPage)
  const cursor = Buffer.from(url.searchParams.get('cursor') ?? '', 'base64').toString() || 'next__0'
  const [, at] = /^(?:next|prev)__(\d+)$/.exec(cursor) ?? []
  if (at === undefined) throw refuse(400, 'Invalid cursor.')
  const from = Number(at)
  const links = {
    next: from + size < all.length ? cursorOf('next', from + size) : '',
    prev: from > 0 ? cursorOf('prev', Math.max(0, from - size)) : '',
  }
  return ok({ [key]: all.slice(from, from + size).map(show), meta: { total: all.length, links } })
}

const host = /^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,61}[a-zA-Z0-9])?$/
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const invalid = (what: string) => ({ error: `Invalid ${what}` })
const encoded = { error: 'Invalid user_data: it must be base64 encoded.' }
const wanted = z.object({
  region: z.string(invalid('region.')),
  plan: z.string(invalid('plan chosen.')),
  os_id: z.number(invalid('os_id.')).int(),
  label: z.string(invalid('label.')).default(''),
  hostname: z.string(invalid('hostname.')).regex(host, invalid('hostname.')).optional(),
  sshkey_id: z.array(z.string(), invalid('sshkey_id.')).default([]),
  tags: z.array(z.string().min(1).max(255), invalid('tags.')).default([]),
  user_data: z.string(invalid('user_data.')).regex(base64, encoded).default(''),
  enable_ipv6: z.boolean(invalid('enable_ipv6.')).default(false),
  activation_email: z.boolean(invalid('activation_email.')).default(false),
  backups: z.enum(['enabled', 'disabled'], invalid('backups.')).default('disabled'),
})

const failed = (why: string) => refuse(400, `Server add failed: ${why}`)

export async function createInstance(call: Call) {
  need(call, 'provisioning')
  const { data, error } = wanted.safeParse(call.body)
  if (!data) throw refuse(400, error.issues[0]?.message ?? 'Invalid request.')
  const { region } = data
  if (!regions.some(({ id }) => id === region)) throw refuse(400, 'Invalid region.')
  const plan = plans.find(({ id }) => id === data.plan)
  if (!plan?.locations.includes(region)) throw refuse(400, 'Invalid plan chosen.')
  const system = systems.find(({ id }) => id === data.os_id)
  if (!system) throw refuse(400, 'Invalid os_id.')
  if (['iso', 'snapshot', 'backup', 'application'].includes(system.family))
    throw refuse(400, `${system.name} needs more than an os_id.`)
  if (plan.ram < 1_000) throw failed(`${system.name} requires a plan with at least 1000 MB memory.`)
  const keys = data.sshkey_id.map((by) => {
    const found = ownKeys(call).find(({ id }) => id === by)
    if (!found) throw refuse(400, 'Invalid SSH key ID.')
    return found
  })
  if (call.state.soldOut.has(`${plan.id}@${region}`))
    throw failed('Plan is not available in the selected region.')
  if (isFull(call))
    throw failed('You have reached the maximum number of active virtual machines for this account.')
  const instance = await call.makeServer({
    // People see the label; the host has its own name.
    name: data.label,
    region,
    type: plan.id,
    image: String(system.id),
    tags: data.tags,
    keys,
    labels: { hostname: data.hostname ?? 'vultr' },
    userData: Buffer.from(data.user_data, 'base64').toString(),
  })
  return { status: 202, body: { instance: { ...showInstance(instance), default_password: 'x9$Wb2{cD7' } } }
}

export function findInstance(call: Call): FakeServer {
  const found = ownServers(call).find(({ id }) => id === call.params['id'])
  if (!found) throw refuse(404, 'instance not found')
  return found
}

export function destroyInstance(call: Call) {
  need(call, 'subscriptions')
  const instance = findInstance(call)
  const { status, created } = instance
  const refusal = (why: string, code: number) => refuse(code, `Unable to destroy server: ${why}`)
  if (status === 'deleting') throw refusal('Server is already pending destruction.', 400)
  // The real one answers so, with this status, for a while after the order.
  if (status === 'starting' && Date.now() - created.getTime() < 500)
    throw refusal('Unable to remove VM: Server is currently locked', 500)
  call.destroyServer(instance)
  return { status: 204 }
}

export function listInstances(call: Call) {
  need(call, 'subscriptions_view', 'subscriptions')
  const by = (name: string) => call.url.searchParams.get(name)
  const tag = by('tag')?.toLowerCase()
  const found = ownServers(call).filter((one) => {
    const facts = { label: one.name, region: one.region, main_ip: addressOf(one), ...one.labels }
    const isTagged = tag === undefined || one.tags.some((other) => other.toLowerCase() === tag)
    return isTagged && Object.entries(facts).every(([name, value]) => (by(name) ?? value) === value)
  })
  return page(call, 'instances', found, showInstance)
}

const addressOf = ({ status, address }: FakeServer) => (status === 'starting' ? '0.0.0.0' : address)

export function showInstance(instance: FakeServer) {
  const { id, name, region, type, image, status, created, tags, labels } = instance
  const plan = plans.find((one) => one.id === type)
  const isStarting = status === 'starting'
  return {
    id,
    os: systems.find((one) => String(one.id) === image)?.name ?? image,
    ram: plan?.ram,
    disk: plan?.disk,
    vcpu_count: plan?.vcpu_count,
    plan: type,
    region,
    tags,
    main_ip: addressOf(instance),
    date_created: timeOf(created, '+00:00'),
    status: isStarting ? 'pending' : 'active',
    netmask_v4: isStarting ? '' : '255.255.254.0',
    gateway_v4: isStarting ? '0.0.0.0' : '203.0.113.1',
    power_status: status === 'off' ? 'stopped' : 'running',
    server_status: serverStatusOf(instance),
    allowed_bandwidth: 1,
    v6_network: '',
    v6_main_ip: '',
    v6_network_size: 0,
    internal_ip: '',
    kvm: `https://my.vultr.com/subs/vps/novnc/api.php?data=${id}`,
    label: name,
    hostname: labels['hostname'] ?? 'vultr',
    tag: tags[0] ?? '',
    os_id: Number(image),
    app_id: 0,
    image_id: '',
    firewall_group_id: '',
    features: [],
    user_scheme: 'root',
  }
}

/** An instance that answers is still said to be booting for a long time. */
function serverStatusOf({ status, created }: FakeServer): string {
  if (status === 'starting') return 'none'
  if (status === 'deleting') return 'locked'
  return Date.now() - created.getTime() < 60_000 ? 'installingbooting' : 'ok'
}
