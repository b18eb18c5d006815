const everywhere = ['nyc1', 'nyc3', 'sfo3', 'ams3', 'sgp1', 'lon1', 'fra1', 'tor1', 'blr1', 'syd1', 'atl1']
const few = ['nyc3', 'sfo3', 'ams3', 'fra1']

/** Servers in San Francisco 2 are kept, but no new ones are created there. */
export const regions = [
  ['nyc1', 'New York 1'],
  ['nyc3', 'New York 3'],
  ['sfo2', 'San Francisco 2'],
  ['sfo3', 'San Francisco 3'],
  ['ams3', 'Amsterdam 3'],
  ['sgp1', 'Singapore 1'],
  ['lon1', 'London 1'],
  ['fra1', 'Frankfurt 1'],
  ['tor1', 'Toronto 1'],
  ['blr1', 'Bangalore 1'],
  ['syd1', 'Sydney 1'],
  ['atl1', 'Atlanta 1'],
].map(([slug = '', name = '']) => ({ slug, name, available: slug !== 'sfo2' }))

type Facts = [vcpus: number, gigabytes: number, disk: number, transfer: number, monthly: number]

const rows: [slug: string, ...facts: Facts, kind: string, where?: string[]][] = [
  ['s-1vcpu-512mb-10gb', 1, 0.5, 10, 0.5, 4, 'Basic', few],
  ['s-1vcpu-1gb', 1, 1, 25, 1, 6, 'Basic'],
  ['s-1vcpu-1gb-amd', 1, 1, 25, 1, 7, 'Basic AMD'],
  ['s-1vcpu-1gb-intel', 1, 1, 25, 1, 7, 'Basic Intel'],
  ['s-1vcpu-2gb', 1, 2, 50, 2, 12, 'Basic'],
  ['s-1vcpu-2gb-amd', 1, 2, 50, 2, 14, 'Basic AMD'],
  ['s-1vcpu-2gb-intel', 1, 2, 50, 2, 14, 'Basic Intel'],
  ['s-2vcpu-2gb', 2, 2, 60, 3, 18, 'Basic'],
  ['s-2vcpu-2gb-amd', 2, 2, 60, 3, 21, 'Basic AMD'],
  ['s-2vcpu-4gb', 2, 4, 80, 4, 24, 'Basic'],
  ['s-2vcpu-4gb-amd', 2, 4, 80, 4, 28, 'Basic AMD'],
  ['s-2vcpu-4gb-intel', 2, 4, 80, 4, 28, 'Basic Intel'],
  ['c-2', 2, 4, 25, 4, 42, 'CPU-Optimized'],
  ['s-4vcpu-8gb', 4, 8, 160, 5, 48, 'Basic'],
  ['s-4vcpu-8gb-amd', 4, 8, 160, 5, 56, 'Basic AMD'],
  ['g-2vcpu-8gb', 2, 8, 25, 4, 63, 'General Purpose'],
  ['gd-2vcpu-8gb', 2, 8, 50, 4, 68, 'General Purpose'],
  ['m-2vcpu-16gb', 2, 16, 50, 4, 84, 'Memory-Optimized'],
  ['c-4', 4, 8, 50, 5, 84, 'CPU-Optimized'],
  ['s-8vcpu-16gb', 8, 16, 320, 6, 96, 'Basic'],
  ['g-4vcpu-16gb', 4, 16, 50, 5, 126, 'General Purpose'],
  ['so-2vcpu-16gb', 2, 16, 300, 4, 131, 'Storage-Optimized', few],
  ['c-8', 8, 16, 100, 6, 168, 'CPU-Optimized'],
  ['gpu-h100x1-80gb', 20, 240, 720, 15, 2522.16, 'H100 GPU - 1X', ['nyc3']],
]

export const sizes = rows.map(
  ([slug, vcpus, gigabytes, disk, transfer, monthly, description, where = everywhere]) => ({
    slug,
    memory: gigabytes * 1024,
    vcpus,
    disk,
    transfer,
    price_monthly: monthly,
    price_hourly: Math.round((monthly / 672) * 100_000) / 100_000,
    regions: where,
    available: true,
    description,
  }),
)

const systems: [id: number, distribution: string, name: string, slug: string, disk: number][] = [
  [194_152_312, 'Debian', '11 x64', 'debian-11-x64', 7],
  [201_700_419, 'Debian', '12 x64', 'debian-12-x64', 7],
  [202_011_733, 'Debian', '13 x64', 'debian-13-x64', 7],
  [183_244_281, 'Ubuntu', '22.04 (LTS) x64', 'ubuntu-22-04-x64', 7],
  [195_932_981, 'Ubuntu', '24.04 (LTS) x64', 'ubuntu-24-04-x64', 7],
  [197_008_116, 'Ubuntu', '25.04 x64', 'ubuntu-25-04-x64', 7],
  [185_003_202, 'Fedora', '41 x64', 'fedora-41-x64', 7],
  [185_110_870, 'CentOS', '9 Stream x64', 'centos-stream-9-x64', 7],
  [185_390_002, 'AlmaLinux', '9 x64', 'almalinux-9-x64', 10],
  [185_400_118, 'Rocky Linux', '9 x64', 'rockylinux-9-x64', 10],
  [199_100_321, 'Ubuntu', 'AI/ML Ready NVIDIA', 'gpu-h100x1-base', 720],
  [187_555_401, 'Ubuntu', 'Docker on Ubuntu 22.04', 'docker-20-04', 25],
]

export const images = systems.map(([id, distribution, name, slug, min_disk_size]) => ({
  id,
  name,
  distribution,
  slug,
  public: true,
  regions: regions.map((region) => region.slug),
  created_at: '2026-03-02T11:24:10Z',
  min_disk_size,
  // Images of the marketplace are snapshots.
  type: slug.startsWith('docker') ? 'snapshot' : 'base',
  size_gigabytes: 1.12,
  description: `${distribution} ${name}`,
  tags: [],
  status: 'available',
  error_message: '',
}))
