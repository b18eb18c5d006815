export const regions = [
  region('ams', 'Amsterdam', 'NL', 'Europe'),
  region('atl', 'Atlanta', 'US', 'North America'),
  region('blr', 'Bangalore', 'IN', 'Asia'),
  region('cdg', 'Paris', 'FR', 'Europe'),
  region('ewr', 'New Jersey', 'US', 'North America'),
  region('fra', 'Frankfurt', 'DE', 'Europe'),
  region('lhr', 'London', 'GB', 'Europe'),
  region('mad', 'Madrid', 'ES', 'Europe'),
  region('nrt', 'Tokyo', 'JP', 'Asia'),
  region('sao', 'São Paulo', 'BR', 'South America'),
  region('sea', 'Seattle', 'US', 'North America'),
  region('sgp', 'Singapore', 'SG', 'Asia'),
  region('syd', 'Sydney', 'AU', 'Australia'),
  region('yto', 'Toronto', 'CA', 'North America'),
]

function region(id: string, city: string, country: string, continent: string) {
  return { id, city, country, continent, options: ['ddos_protection', 'block_storage_storage_opt'] }
}

const everywhere = regions.map(({ id }) => id)
const few = ['ams', 'ewr', 'fra', 'sea']

type Row = [
  id: string,
  vcpus: number,
  gigabytes: number,
  disk: number,
  monthly: number,
  type: string,
  where?: string[],
]

const rows: Row[] = [
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

/** Not all of them are systems: some stand for what another field names. */
export const systems = [
  { id: 124, name: 'Windows 2012 R2 Standard x64', arch: 'x64', family: 'windows' },
  { id: 159, name: 'Custom', arch: 'x64', family: 'iso' },
  { id: 164, name: 'Snapshot', arch: 'x64', family: 'snapshot' },
  { id: 180, name: 'Backup', arch: 'x64', family: 'backup' },
  { id: 186, name: 'Application', arch: 'x64', family: 'application' },
  { id: 477, name: 'Debian 11 x64 (bullseye)', arch: 'x64', family: 'debian' },
  { id: 1743, name: 'Ubuntu 22.04 LTS x64', arch: 'x64', family: 'ubuntu' },
  { id: 1868, name: 'AlmaLinux 9 x64', arch: 'x64', family: 'almalinux' },
  { id: 1869, name: 'Rocky Linux 9 x64', arch: 'x64', family: 'rockylinux' },
  { id: 2076, name: 'Alpine Linux x64', arch: 'x64', family: 'alpinelinux' },
  { id: 2136, name: 'Debian 12 x64 (bookworm)', arch: 'x64', family: 'debian' },
  { id: 2284, name: 'Ubuntu 24.04 LTS x64', arch: 'x64', family: 'ubuntu' },
  { id: 2514, name: 'Windows 2025 Standard x64', arch: 'x64', family: 'windows' },
  { id: 2571, name: 'FreeBSD 14 x64', arch: 'x64', family: 'freebsd' },
  { id: 2625, name: 'Debian 13 x64 (trixie)', arch: 'x64', family: 'debian' },
]
