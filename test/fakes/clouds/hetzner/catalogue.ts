/** Where there are servers. */
export const locations = [
  location(1, 'fsn1', 'Falkenstein DC Park 1', 'DE', 'Falkenstein', 50.47612, 12.370071, 'eu-central'),
  location(2, 'nbg1', 'Nuremberg DC Park 1', 'DE', 'Nuremberg', 49.452102, 11.076665, 'eu-central'),
  location(3, 'hel1', 'Helsinki DC Park 1', 'FI', 'Helsinki', 60.169855, 24.938379, 'eu-central'),
  location(4, 'ash', 'Ashburn, VA', 'US', 'Ashburn, VA', 39.045821, -77.487073, 'us-east'),
  location(5, 'hil', 'Hillsboro, OR', 'US', 'Hillsboro, OR', 45.54222, -122.951924, 'us-west'),
  location(6, 'sin', 'Singapore', 'SG', 'Singapore', 1.283333, 103.833333, 'ap-southeast'),
]

const europe = ['fsn1', 'nbg1', 'hel1']
const everywhere = locations.map(({ name }) => name)
const away = everywhere.filter((name) => !europe.includes(name))

export type ServerType = (typeof serverTypes)[number]

/** Costs are net, for a month in Europe, in euros; elsewhere it is more. */
export const serverTypes = [
  type(104, 'cx22', 'Cost optimized', [2, 4, 40], 'shared', 'x86', 3.79, europe, '2026-01-01T00:00:00+00:00'),
  type(114, 'cx23', 'Cost optimized', [2, 4, 40], 'shared', 'x86', 3.49, europe),
  type(115, 'cx33', 'Cost optimized', [4, 8, 80], 'shared', 'x86', 5.49, europe),
  type(116, 'cx43', 'Cost optimized', [8, 16, 160], 'shared', 'x86', 9.49, europe),
  type(117, 'cx53', 'Cost optimized', [16, 32, 320], 'shared', 'x86', 17.49, europe),
  type(45, 'cax11', 'Cost optimized', [2, 4, 40], 'shared', 'arm', 3.79, europe),
  type(93, 'cax21', 'Cost optimized', [4, 8, 80], 'shared', 'arm', 6.49, europe),
  type(94, 'cax31', 'Cost optimized', [8, 16, 160], 'shared', 'arm', 12.49, europe),
  type(95, 'cax41', 'Cost optimized', [16, 32, 320], 'shared', 'arm', 24.49, europe),
  type(22, 'cpx11', 'Regular Purpose', [2, 2, 40], 'shared', 'x86', 4.49, away),
  type(23, 'cpx21', 'Regular Purpose', [3, 4, 80], 'shared', 'x86', 8.99, away),
  type(24, 'cpx31', 'Regular Purpose', [4, 8, 160], 'shared', 'x86', 15.99, away),
  type(25, 'cpx41', 'Regular Purpose', [8, 16, 240], 'shared', 'x86', 29.99, away),
  type(109, 'cpx22', 'Regular Purpose', [2, 4, 80], 'shared', 'x86', 6.49, everywhere),
  type(110, 'cpx32', 'Regular Purpose', [4, 8, 160], 'shared', 'x86', 10.99, everywhere),
  type(111, 'cpx42', 'Regular Purpose', [8, 16, 320], 'shared', 'x86', 19.99, everywhere),
  type(112, 'cpx52', 'Regular Purpose', [12, 24, 480], 'shared', 'x86', 28.49, everywhere),
  type(113, 'cpx62', 'Regular Purpose', [16, 32, 640], 'shared', 'x86', 38.99, everywhere),
  type(96, 'ccx13', 'General Purpose', [2, 8, 80], 'dedicated', 'x86', 12.49, everywhere),
  type(97, 'ccx23', 'General Purpose', [4, 16, 160], 'dedicated', 'x86', 24.49, everywhere),
  type(98, 'ccx33', 'General Purpose', [8, 32, 240], 'dedicated', 'x86', 48.49, everywhere),
  type(99, 'ccx43', 'General Purpose', [16, 64, 360], 'dedicated', 'x86', 96.49, everywhere),
]

export type Image = (typeof images)[number]

/** A snapshot that somebody made has no name. */
export const images = [
  ...both(45557056, 'debian-11', 'Debian 11', 'debian', '11', 'system', '2026-08-31T00:00:00+00:00'),
  ...both(114690387, 'debian-12', 'Debian 12', 'debian', '12'),
  ...both(310557660, 'debian-13', 'Debian 13', 'debian', '13'),
  ...both(67794396, 'ubuntu-22.04', 'Ubuntu 22.04', 'ubuntu', '22.04'),
  ...both(161547269, 'ubuntu-24.04', 'Ubuntu 24.04', 'ubuntu', '24.04'),
  ...both(289128102, 'fedora-42', 'Fedora 42', 'fedora', '42'),
  ...both(76766499, 'alma-9', 'AlmaLinux 9', 'alma', '9'),
  ...both(237934640, 'alma-10', 'AlmaLinux 10', 'alma', '10'),
  ...both(45778092, 'rocky-9', 'Rocky Linux 9', 'rocky', '9'),
  ...both(87021446, 'centos-stream-9', 'CentOS Stream 9', 'centos', 'stream9'),
  ...both(69726282, 'opensuse-15', 'openSUSE Leap 15', 'opensuse', '15'),
  ...both(40093247, 'docker-ce', 'Docker CE', 'ubuntu', '24.04', 'app'),
  ...both(40093140, 'wordpress', 'WordPress', 'ubuntu', '24.04', 'app'),
  image(212131313, null, 'before the update', 'ubuntu', '22.04', 'snapshot', null, 'x86'),
]

export const currency = 'EUR'
export const vat = 19

/** An address of IPv4 costs extra; the price of a server is without it. */
export const ipv4Monthly = 0.5

export const priceOf = (net: number) => ({
  net: net.toFixed(10),
  gross: (net * (1 + vat / 100)).toFixed(16),
})

function location(
  id: number,
  name: string,
  description: string,
  country: string,
  city: string,
  latitude: number,
  longitude: number,
  network_zone: string,
) {
  return { id, name, description, country, city, latitude, longitude, network_zone }
}

function type(
  id: number,
  name: string,
  category: string,
  [cores, memory, disk]: [number, number, number],
  cpu_type: 'shared' | 'dedicated',
  architecture: 'x86' | 'arm',
  monthly: number,
  offered: string[],
  unavailableAfter?: string,
) {
  return {
    id,
    name,
    category,
    cores,
    memory,
    disk,
    cpu_type,
    architecture,
    monthly,
    offered,
    unavailableAfter,
  }
}

/** There is one for each architecture, with the same name. */
function both(
  id: number,
  name: string,
  description: string,
  flavor: string,
  version: string,
  kind: 'system' | 'app' = 'system',
  deprecated: string | null = null,
) {
  return [
    image(id, name, description, flavor, version, kind, deprecated, 'x86'),
    image(id + 1, name, description, flavor, version, kind, deprecated, 'arm'),
  ]
}

function image(
  id: number,
  name: string | null,
  description: string,
  os_flavor: string,
  os_version: string,
  kind: 'system' | 'app' | 'snapshot',
  deprecated: string | null,
  architecture: 'x86' | 'arm',
) {
  return { id, name, description, os_flavor, os_version, type: kind, deprecated, architecture }
}
