import { type ComposeFile, extendedBy } from '../read/compose-file.ts'
import { type Finding, type Path, wrong, wrongKey } from './finding.ts'
import { isMap, listOf, mapOf, namesOf, textOf } from '../read/loose.ts'
import { didYouMean } from './nearest.ts'
import { sharedWith } from '../order.ts'
import { readMount } from '../read/short-forms.ts'
import { short } from '../read/to-value.ts'

interface Reference {
  name: string
  path: Path
}

interface Missing extends Reference {
  what: string
  known: readonly string[]
}

/** Nobody reads more of them. */
const most = 100

/** What one part of a file calls another part has to be there. */
export function referenceRules(file: ComposeFile): Finding[] {
  const named = (section: string) => Object.keys(mapOf(file.top[section]))
  const [services, volumes, secrets, configs] = ['services', 'volumes', 'secrets', 'configs'].map(named)
  const networks = [...named('networks'), 'default']
  const missing = Object.entries(file.services).flatMap(([name, service]) => {
    const path = ['services', name]
    return [
      ...missingOf('service', services, servicesIn(service, path)),
      ...missingOf('network', networks, listedIn(service['networks'], [...path, 'networks'])),
      ...missingOf('volume', volumes, volumesIn(service['volumes'], [...path, 'volumes'])),
      ...missingOf('secret', secrets, sourcesIn(service['secrets'], [...path, 'secrets'])),
      ...missingOf('config', configs, sourcesIn(service['configs'], [...path, 'configs'])),
    ]
  })
  return missing.slice(0, most).map(({ name, path, what, known }) => {
    const todo =
      didYouMean(name, known.slice(0, most)) || (what === 'service' ? '' : ` Name it under ${what}s.`)
    return wrong(path, `There is no ${what} ${short(name)} in the file.${todo}`)
  })
}

const missingOf = (
  what: string,
  known: readonly string[] = [],
  references: readonly Reference[],
): Missing[] => references.filter(({ name }) => !known.includes(name)).map((one) => ({ ...one, what, known }))

const listedIn = (value: unknown, path: Path): Reference[] =>
  namesOf(value).map(({ name, step }) => ({ name, path: [...path, step] }))

const volumesIn = (value: unknown, path: Path): Reference[] =>
  listOf(value).flatMap((one, step) => {
    const { type, source } = readMount(one)
    return type === 'volume' && source !== '' ? [{ name: source, path: [...path, step] }] : []
  })

const sourcesIn = (value: unknown, path: Path): Reference[] =>
  listOf(value).flatMap((one, step) => {
    const name = isMap(one) ? textOf(one['source']) : textOf(one)
    return name === undefined ? [] : [{ name, path: [...path, step] }]
  })

/** Other services that it names, but for those that it can do without. */
function servicesIn(service: Record<string, unknown>, path: Path): Reference[] {
  const extended = extendedBy(service)
  const depends = service['depends_on']
  return [
    ...listedIn(depends, [...path, 'depends_on']).filter(
      ({ name }) => mapOf(mapOf(depends)[name])['required'] !== false,
    ),
    ...(extended === undefined || mapOf(service['extends'])['file'] !== undefined
      ? []
      : [{ name: extended, path: [...path, 'extends'] }]),
    ...['network_mode', 'pid', 'ipc'].flatMap((key) => {
      const name = sharedWith(textOf(service[key]))
      return name === undefined ? [] : [{ name, path: [...path, key] }]
    }),
    ...['links', 'volumes_from'].flatMap((key) =>
      listedIn(service[key], [...path, key])
        .filter(({ name }) => !name.startsWith('container:'))
        .map((one) => ({ ...one, name: one.name.split(':')[0] ?? '' })),
    ),
  ]
}

/** Who is deployed cannot wait for one that is not. */
export const absentRules = ({ services, isActive }: ComposeFile): Finding[] =>
  Object.entries(services).flatMap(([name, service]) =>
    isActive(name)
      ? servicesIn(service, ['services', name])
          .filter(
            (one) => one.path[2] !== 'extends' && Object.hasOwn(services, one.name) && !isActive(one.name),
          )
          .map((one) =>
            wrong(
              one.path,
              `${short(one.name)} is left out, since none of its profiles is chosen. Choose one of them.`,
            ),
          )
      : [],
  )

/** Services that wait for each other; each circle is told once. */
export function cycleRules(file: ComposeFile): Finding[] {
  const done = new Set<string>()
  const findings: Finding[] = []
  for (const name of Object.keys(file.services)) walk(name, [])
  return findings

  function walk(name: string, path: string[]): void {
    const before = path.indexOf(name)
    if (before >= 0) {
      const circle = [...path.slice(before), name].map(short).join(' → ')
      findings.push(
        wrongKey(
          ['services', name, 'depends_on'],
          `These services wait for each other, so that none could start: ${circle}. Take one out of depends_on.`,
        ),
      )
      return
    }
    if (done.has(name) || !Object.hasOwn(file.services, name)) return
    path.push(name)
    for (const { name: next } of servicesIn(file.services[name] ?? {}, [])) walk(next, path)
    path.pop()
    done.add(name)
  }
}
