import type { FakeServer } from '../account.ts'
import { timeOf } from './answers.ts'
import { plans, systems } from './catalogue.ts'

export const addressOf = ({ status, address }: FakeServer) => (status === 'starting' ? '0.0.0.0' : address)

export function show(instance: FakeServer) {
  const { id, name, region, type, image, status, created, tags, labels } = instance
  const plan = plans.find((one) => one.id === type)
  const starting = status === 'starting'
  return {
    id,
    os: systems.find((one) => String(one.id) === image)?.name ?? image,
    ram: plan?.ram,
    disk: plan?.disk,
    main_ip: addressOf(instance),
    vcpu_count: plan?.vcpu_count,
    region,
    plan: type,
    date_created: timeOf(created),
    status: starting ? 'pending' : 'active',
    allowed_bandwidth: 1,
    netmask_v4: starting ? '' : '255.255.254.0',
    gateway_v4: starting ? '0.0.0.0' : '203.0.113.1',
    power_status: status === 'off' ? 'stopped' : 'running',
    server_status: serverStatusOf(instance),
    v6_network: '',
    v6_main_ip: '',
    v6_network_size: 0,
    label: name,
    internal_ip: '',
    kvm: `https://my.vultr.com/subs/vps/novnc/api.php?data=${id}`,
    hostname: labels['hostname'] ?? 'vultr',
    tag: tags[0] ?? '',
    tags,
    os_id: Number(image),
    app_id: 0,
    image_id: '',
    firewall_group_id: '',
    features: [],
    user_scheme: 'root',
  }
}

/** One that answers is still said to be booting for a long time. */
function serverStatusOf({ status, created }: FakeServer): string {
  if (status === 'starting') return 'none'
  if (status === 'deleting') return 'locked'
  return Date.now() - created.getTime() < 60_000 ? 'installingbooting' : 'ok'
}
