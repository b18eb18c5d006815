import type { CloudState } from '../account.ts'

const places: [string, string, string, string, number, number, string][] = [
  ['fsn1', 'Falkenstein DC Park 1', 'DE', 'Falkenstein', 50.47612, 12.370071, 'eu-central'],
  ['nbg1', 'Nuremberg DC Park 1', 'DE', 'Nuremberg', 49.452102, 11.076665, 'eu-central'],
  ['hel1', 'Helsinki DC Park 1', 'FI', 'Helsinki', 60.169855, 24.938379, 'eu-central'],
  ['ash', 'Ashburn, VA', 'US', 'Ashburn, VA', 39.045821, -77.487073, 'us-east'],
  ['hil', 'Hillsboro, OR', 'US', 'Hillsboro, OR', 45.54222, -122.951924, 'us-west'],
  ['sin', 'Singapore', 'SG', 'Singapore', 1.283333, 103.833333, 'ap-southeast'],
]

export const locations = places.map(
  ([name, description, country, city, latitude, longitude, network_zone], index) => ({
    id: index + 1,
    name,
    description,
    country,
    city,
    latitude,
    longitude,
    network_zone,
  }),
)

const europe = ['fsn1', 'nbg1', 'hel1']
const everywhere = locations.map(({ name }) => name)
const away = everywhere.filter((name) => !europe.includes(name))

type Size = [cores: number, memory: number, disk: number]
type Row = [id: number, name: string, size: Size, monthly: number, offered: string[], until?: string]

/** Costs are net, for a month in Europe, in euros; elsewhere it is more. */
const rows: Row[] = [
  [104, 'cx22', [2, 4, 40], 3.79, europe, '2026-01-01T00:00:00+00:00'],
  [114, 'cx23', [2, 4, 40], 3.49, europe],
  [115, 'cx33', [4, 8, 80], 5.49, europe],
  [116, 'cx43', [8, 16, 160], 9.49, europe],
  [117, 'cx53', [16, 32, 320], 17.49, europe],
  [45, 'cax11', [2, 4, 40], 3.79, europe],
  [93, 'cax21', [4, 8, 80], 6.49, europe],
  [94, 'cax31', [8, 16, 160], 12.49, europe],
  [95, 'cax41', [16, 32, 320], 24.49, europe],
  [22, 'cpx11', [2, 2, 40], 4.49, away],
  [23, 'cpx21', [3, 4, 80], 8.99, away],
  [24, 'cpx31', [4, 8, 160], 15.99, away],
  [25, 'cpx41', [8, 16, 240], 29.99, away],
  [109, 'cpx22', [2, 4, 80], 6.49, everywhere],
  [110, 'cpx32', [4, 8, 160], 10.99, everywhere],
  [111, 'cpx42', [8, 16, 320], 19.99, everywhere],
  [112, 'cpx52', [12, 24, 480], 28.49, everywhere],
  [113, 'cpx62', [16, 32, 640], 38.99, everywhere],
  [96, 'ccx13', [2, 8, 80], 12.49, everywhere],
  [97, 'ccx23', [4, 16, 160], 24.49, everywhere],
  [98, 'ccx33', [8, 32, 240], 48.49, everywhere],
  [99, 'ccx43', [16, 64, 360], 96.49, everywhere],
]

const categories = {
  cx: 'Cost optimized',
  ca: 'Cost optimized',
  cp: 'Regular Purpose',
  cc: 'General Purpose',
}

export const serverTypes = rows.map(
  ([id, name, [cores, memory, disk], monthly, offered, unavailableAfter]) => ({
    id,
    name,
    cores,
    memory,
    disk,
    monthly,
    offered,
    unavailableAfter,
    category: Object.entries(categories).find(([prefix]) => name.startsWith(prefix))?.[1] ?? '',
    cpu_type: name.startsWith('ccx') ? 'dedicated' : 'shared',
    architecture: name.startsWith('cax') ? 'arm' : 'x86',
  }),
)
export type ServerType = (typeof serverTypes)[number]

type System = [id: number, name: string | null, description: string, flavor: string, version: string]

/** The images of apps stand after those of systems. A snapshot that somebody took has no name. */
const systems: System[] = [
  [45557056, 'debian-11', 'Debian 11', 'debian', '11'],
  [114690387, 'debian-12', 'Debian 12', 'debian', '12'],
  [310557660, 'debian-13', 'Debian 13', 'debian', '13'],
  [67794396, 'ubuntu-22.04', 'Ubuntu 22.04', 'ubuntu', '22.04'],
  [161547269, 'ubuntu-24.04', 'Ubuntu 24.04', 'ubuntu', '24.04'],
  [289128102, 'fedora-42', 'Fedora 42', 'fedora', '42'],
  [76766499, 'alma-9', 'AlmaLinux 9', 'alma', '9'],
  [237934640, 'alma-10', 'AlmaLinux 10', 'alma', '10'],
  [45778092, 'rocky-9', 'Rocky Linux 9', 'rocky', '9'],
  [87021446, 'centos-stream-9', 'CentOS Stream 9', 'centos', 'stream9'],
  [69726282, 'opensuse-15', 'openSUSE Leap 15', 'opensuse', '15'],
  [40093247, 'docker-ce', 'Docker CE', 'ubuntu', '24.04'],
  [40093140, 'wordpress', 'WordPress', 'ubuntu', '24.04'],
  [212131313, null, 'before the update', 'ubuntu', '22.04'],
]

/** There is one for each architecture, with the same name. */
export const images = systems.flatMap(([id, name, description, os_flavor, os_version]) =>
  (name === null ? ['x86'] : ['x86', 'arm']).map((architecture, index) => ({
    id: id + index,
    name,
    description,
    os_flavor,
    os_version,
    architecture,
    type: name === null ? 'snapshot' : ['docker-ce', 'wordpress'].includes(name) ? 'app' : 'system',
    deprecated: name === 'debian-11' ? '2026-08-31T00:00:00+00:00' : null,
  })),
)
export type Image = (typeof images)[number]

const vat = 19
const priceOf = (net: number) => ({ net: net.toFixed(10), gross: (net * (1 + vat / 100)).toFixed(16) })

export const isOver = ({ unavailableAfter }: ServerType) =>
  unavailableAfter !== undefined && new Date(unavailableAfter) < new Date()

export function showType(type: ServerType, { soldOut }: CloudState) {
  const { unavailableAfter, offered, monthly, ...plain } = type
  const deprecation = unavailableAfter
    ? { announced: '2025-10-01T00:00:00+00:00', unavailable_after: unavailableAfter }
    : null
  const dearness = (location: string) => (location === 'sin' ? 1.5 : 1)
  return {
    ...plain,
    description: plain.name.toUpperCase(),
    storage_type: 'local',
    deprecated: deprecation !== null,
    deprecation,
    prices: offered.map((location) => ({
      location,
      price_hourly: priceOf((monthly * dearness(location)) / 624),
      price_monthly: priceOf(monthly * dearness(location)),
      included_traffic: 21_990_232_555_520,
      price_per_tb_traffic: priceOf(1),
    })),
    locations: locations
      .filter(({ name }) => offered.includes(name))
      .map(({ id, name }) => ({
        id,
        name,
        deprecation,
        recommended: !deprecation,
        available: !isOver(type) && !soldOut.has(`${plain.name}@${name}`),
      })),
  }
}

export const showImage = (image: Image) => ({
  ...image,
  status: 'available',
  image_size: image.type === 'snapshot' ? 2.3 : null,
  disk_size: 5,
  created: '2024-01-30T23:55:00+00:00',
  created_from: image.type === 'snapshot' ? { id: 1, name: 'old' } : null,
  rapid_deploy: image.type === 'system',
  bound_to: null,
  protection: { delete: false },
  deleted: null,
  labels: {},
})

/** An address of IPv4 costs extra; the price of a server is without it. */
export function showPricing(state: CloudState) {
  const prices = locations.map(({ name }) => ({
    location: name,
    price_hourly: priceOf(0.5 / 624),
    price_monthly: priceOf(0.5),
  }))
  const server_types = serverTypes.map((type) => {
    const { id, name, prices: ofType } = showType(type, state)
    return { id, name, prices: ofType }
  })
  return { currency: 'EUR', vat_rate: vat.toFixed(2), primary_ips: [{ type: 'ipv4', prices }], server_types }
}
