const places = {
  Europe: ['ams NL Amsterdam', 'cdg FR Paris', 'fra DE Frankfurt', 'lhr GB London', 'mad ES Madrid'],
  'North America': ['atl US Atlanta', 'ewr US New Jersey', 'sea US Seattle', 'yto CA Toronto'],
  Asia: ['blr IN Bangalore', 'nrt JP Tokyo', 'sgp SG Singapore'],
  'South America': ['sao BR São Paulo'],
  Australia: ['syd AU Sydney'],
}

export const regions = Object.entries(places).flatMap(([continent, lines]) =>
  lines.map((line) => ({
    id: line.slice(0, 3),
    city: line.slice(7),
    country: line.slice(4, 6),
    continent,
    options: ['ddos_protection', 'block_storage_storage_opt'],
  })),
)

const everywhere = regions.map(({ id }) => id)
const few = ['ams', 'ewr', 'fra', 'sea']

type Facts = [vcpus: number, gigabytes: number, disk: number, monthly: number]

const rows: [id: string, ...facts: Facts, type: string, where?: string[]][] = [
  // It has no IPv4 address.
  ['vc2-1c-0.5gb-v6', 1, 0.5, 10, 2.5, 'vc2', ['atl', 'ewr']],
  ['vc2-1c-0.5gb', 1, 0.5, 10, 3.5, 'vc2', ['ams', 'atl', 'ewr']],
  ['vc2-1c-1gb', 1, 1, 25, 5, 'vc2'],
  ['vc2-1c-2gb', 1, 2, 55, 10, 'vc2'],
  ['vc2-2c-2gb', 2, 2, 65, 15, 'vc2'],
  ['vc2-2c-4gb', 2, 4, 80, 20, 'vc2'],
  ['vc2-4c-8gb', 4, 8, 160, 40, 'vc2'],
  ['vc2-6c-16gb', 6, 16, 320, 80, 'vc2'],
  ['vc2-8c-32gb', 8, 32, 640, 160, 'vc2'],
  ['vhf-1c-1gb', 1, 1, 32, 6, 'vhf'],
  ['vhf-1c-2gb', 1, 2, 64, 12, 'vhf'],
  ['vhf-2c-4gb', 2, 4, 128, 24, 'vhf'],
  ['vhf-4c-16gb', 4, 16, 384, 96, 'vhf'],
  ['vhp-1c-1gb-amd', 1, 1, 25, 6, 'vhp'],
  ['vhp-1c-1gb-intel', 1, 1, 25, 6, 'vhp'],
  ['vhp-2c-4gb-amd', 2, 4, 100, 24, 'vhp'],
  ['vhp-4c-8gb-amd', 4, 8, 180, 48, 'vhp'],
  ['voc-g-1c-4gb-30s-amd', 1, 4, 30, 30, 'voc', few],
  ['voc-c-2c-4gb-50s-amd', 2, 4, 50, 40, 'voc', few],
  ['voc-m-2c-16gb-100s-amd', 2, 16, 100, 80, 'voc', few],
  ['voc-s-2c-16gb-320s-amd', 2, 16, 320, 95, 'voc', few],
  ['vdc-2vcpu-8gb', 2, 8, 110, 60, 'vdc', ['ewr']],
  ['vcg-a16-2c-8gb-2vram', 2, 8, 50, 43, 'vcg', ['ewr', 'fra']],
]

export const plans = rows.map(
  ([id, vcpu_count, gigabytes, disk, monthly_cost, type, locations = everywhere]) => ({
    id,
    vcpu_count,
    ram: gigabytes * 1024,
    disk,
    disk_count: 1,
    disk_type: type === 'vc2' ? 'SSD' : 'NVMe',
    bandwidth: 1024,
    monthly_cost,
    hourly_cost: Math.round((monthly_cost / 730) * 1_000) / 1_000,
    type,
    locations,
    ...(type === 'vcg' && { gpu_vram_gb: 2, gpu_type: 'NVIDIA_A16' }),
  }),
)

const names: [id: number, name: string, family: string][] = [
  [124, 'Windows 2012 R2 Standard x64', 'windows'],
  [159, 'Custom', 'iso'],
  [164, 'Snapshot', 'snapshot'],
  [180, 'Backup', 'backup'],
  [186, 'Application', 'application'],
  [477, 'Debian 11 x64 (bullseye)', 'debian'],
  [1743, 'Ubuntu 22.04 LTS x64', 'ubuntu'],
  [1868, 'AlmaLinux 9 x64', 'almalinux'],
  [1869, 'Rocky Linux 9 x64', 'rockylinux'],
  [2076, 'Alpine Linux x64', 'alpinelinux'],
  [2136, 'Debian 12 x64 (bookworm)', 'debian'],
  [2284, 'Ubuntu 24.04 LTS x64', 'ubuntu'],
  [2514, 'Windows 2025 Standard x64', 'windows'],
  [2571, 'FreeBSD 14 x64', 'freebsd'],
  [2625, 'Debian 13 x64 (trixie)', 'debian'],
]

/** Not all of them are systems: some stand for what another field names. */
export const systems = names.map(([id, name, family]) => ({ id, name, arch: 'x64', family }))
