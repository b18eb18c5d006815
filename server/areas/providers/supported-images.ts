import type { ServerImage } from './provider.ts'

/** Operating systems that setup supports, recommended first; older ones lack Docker or a recent kernel. */
const families = [
  { id: 'debian', name: 'Debian', says: /^debian/, least: 11 },
  { id: 'ubuntu', name: 'Ubuntu', says: /^ubuntu/, least: 20.04 },
  { id: 'rocky', name: 'Rocky Linux', says: /^rocky/, least: 8 },
  { id: 'almalinux', name: 'AlmaLinux', says: /^alma/, least: 8 },
  { id: 'centos', name: 'CentOS Stream', says: /^centos/, least: 9 },
  { id: 'fedora', name: 'Fedora', says: /^fedora/, least: 38 },
]

interface Offered {
  id: string
  says: string
  architecture: ServerImage['architectures'][number]
}

export function supportedImages(offered: Offered[]): ServerImage[] {
  const systems = new Map<string, System & { architectures: Set<Offered['architecture']> }>()
  for (const { id, says, architecture } of offered) {
    const system = systems.get(id) ?? systemOf(says)
    if (system) systems.set(id, { architectures: new Set(), ...system })
    systems.get(id)?.architectures.add(architecture)
  }
  return [...systems]
    .toSorted(([, a], [, b]) => a.place - b.place || b.number - a.number)
    .map(([id, { name, family, architectures }], place) => ({
      id,
      name,
      family,
      architectures: [...architectures],
      recommended: place === 0,
    }))
}

interface System {
  name: string
  family: string
  place: number
  number: number
}

function systemOf(says: string): System | undefined {
  const [, name = '', version = ''] =
    /^([a-z]+(?:[ -]?linux)?(?:[ -]stream)?)[ -](\d+(?:[.-]\d+)?)\b/.exec(says.toLowerCase()) ?? []
  const place = families.findIndex((family) => family.says.test(name))
  const family = families[place]
  const number = Number(version.replace('-', '.'))
  if (!family || number < family.least) return undefined
  return { name: `${family.name} ${version.replace('-', '.')}`, family: family.id, place, number }
}
