import { type ComposeFile, extendedService, inheritedValue } from '../read/compose-file.ts'
import { type Finding, type Path, errorAt, errorAtKey } from './finding.ts'
import { isMap, toList, toMap, namesWithSteps, toText } from '../read/untyped.ts'
import { didYouMean } from './closest-match.ts'
import { sharedServiceName } from '../start-order.ts'
import { isTrue, readMount } from '../read/short-forms.ts'
import { truncateValue } from '../read/to-value.ts'

interface Reference {
  name: string
  path: Path
  /** Whether the referenced service may be disabled. */
  isOptional?: boolean
}

interface Missing extends Reference {
  what: string
  known: readonly string[]
}

const maxFindings = 100

export function referenceRules(file: ComposeFile): Finding[] {
  const named = (section: string) => Object.keys(toMap(file.top[section]))
  const [services, volumes, secrets, configs] = ['services', 'volumes', 'secrets', 'configs'].map(named)
  const networks = [...named('networks'), 'default']
  const missing = Object.entries(file.services).flatMap(([name, service]) => {
    const path = ['services', name]
    // Docker Compose resolves no references of a disabled service except `extends`.
    if (!file.isActive(name))
      return findMissing(
        'service',
        services,
        servicesIn(service, path).filter((reference) => reference.path[2] === 'extends'),
      )
    return [
      ...findMissing('service', services, servicesIn(service, path)),
      ...findMissing('service', services, contextsIn(toMap(service['build']), [...path, 'build'])),
      ...findMissing('network', networks, listedIn(service['networks'], [...path, 'networks'])),
      ...findMissing('volume', volumes, volumesIn(service['volumes'], [...path, 'volumes'])),
      ...findMissing('secret', secrets, sourcesIn(service['secrets'], [...path, 'secrets'])),
      ...findMissing(
        'secret',
        secrets,
        sourcesIn(toMap(service['build'])['secrets'], [...path, 'build', 'secrets']),
      ),
      ...findMissing('config', configs, sourcesIn(service['configs'], [...path, 'configs'])),
    ]
  })
  return missing.slice(0, maxFindings).map(({ name, path, what, known }) => {
    const todo =
      didYouMean(name, known.slice(0, maxFindings)) ||
      (what === 'service' ? '' : ` Define it under ${what}s.`)
    return errorAt(path, `The ${what} ${truncateValue(name)} is not defined in the file.${todo}`)
  })
}

/** A service as a build context needs a build, because Docker Compose builds its image first. */
export const buildContextRules = (file: ComposeFile): Finding[] =>
  Object.entries(file.services).flatMap(([service, { build }]) =>
    file.isActive(service)
      ? contextsIn(toMap(build), ['services', service, 'build'])
          .filter(
            ({ name }) =>
              Object.hasOwn(file.services, name) && inheritedValue(file, name, 'build') === undefined,
          )
          .map(({ name, path }) =>
            errorAt(
              path,
              `${truncateValue(name)} has no build. For an image, write docker-image:// and its name.`,
            ),
          )
      : [],
  )

const findMissing = (
  what: string,
  known: readonly string[] = [],
  references: readonly Reference[],
): Missing[] =>
  references.filter(({ name }) => !known.includes(name)).map((reference) => ({ ...reference, what, known }))

const listedIn = (value: unknown, path: Path): Reference[] =>
  namesWithSteps(value).map(({ name, step }) => ({ name, path: [...path, step] }))

const volumesIn = (value: unknown, path: Path): Reference[] =>
  toList(value).flatMap((entry, step) => {
    const { type, source } = readMount(entry)
    return type === 'volume' && source !== '' ? [{ name: source, path: [...path, step] }] : []
  })

const sourcesIn = (value: unknown, path: Path): Reference[] =>
  toList(value).flatMap((entry, step) => {
    const name = isMap(entry) ? (toText(entry['source']) ?? '') : toText(entry)
    return name === undefined ? [] : [{ name, path: [...path, step] }]
  })

const contextsIn = ({ additional_contexts: contexts }: Record<string, unknown>, path: Path): Reference[] =>
  namesWithSteps(contexts).flatMap(({ name, step }) => {
    const context = toText(toMap(contexts)[name]) ?? name.replace(/^[^=]*=/, '')
    const [, service] = /^service:(.*)$/.exec(context) ?? []
    return service === undefined ? [] : [{ name: service, path: [...path, 'additional_contexts', step] }]
  })

const isRequired = (required: unknown) => required === undefined || isTrue(required)

function servicesIn(service: Record<string, unknown>, path: Path): Reference[] {
  const extended = extendedService(service)
  const depends = service['depends_on']
  return [
    ...listedIn(depends, [...path, 'depends_on']).map((reference) => ({
      ...reference,
      isOptional: !isRequired(toMap(toMap(depends)[reference.name])['required']),
    })),
    ...(extended === undefined || toMap(service['extends'])['file'] !== undefined
      ? []
      : [{ name: extended, path: [...path, 'extends'] }]),
    ...['network_mode', 'pid', 'ipc', 'uts'].flatMap((key) => {
      const name = sharedServiceName(toText(service[key]))
      return name === undefined ? [] : [{ name, path: [...path, key] }]
    }),
    ...['links', 'volumes_from'].flatMap((key) =>
      listedIn(service[key], [...path, key])
        .filter(({ name }) => !name.startsWith('container:'))
        .map((reference) => ({ ...reference, name: withoutOptions(key, reference.name) })),
    ),
  ]
}

/** Compose takes a link with more than two parts for a name. */
const withoutOptions = (key: string, line: string) => {
  const [name = '', ...options] = line.split(':')
  return key === 'links' && options.length > 1 ? line : name
}

/** A deployed service cannot depend on one that its profiles exclude. */
export const inactiveServiceRules = ({ services, isActive }: ComposeFile): Finding[] =>
  Object.entries(services).flatMap(([name, service]) =>
    isActive(name)
      ? servicesIn(service, ['services', name])
          .filter(
            (reference) =>
              reference.path[2] !== 'extends' &&
              !reference.isOptional &&
              Object.hasOwn(services, reference.name) &&
              !isActive(reference.name),
          )
          .map((reference) =>
            errorAt(
              reference.path,
              `${truncateValue(reference.name)} is disabled because none of its profiles is selected. Select one of them.`,
            ),
          )
      : [],
  )

export function dependencyCycleRules(file: ComposeFile): Finding[] {
  const done = new Set<string>()
  const findings: Finding[] = []
  for (const name of Object.keys(file.services)) if (file.isActive(name)) walk(name, [])
  return findings

  function walk(name: string, path: string[]): void {
    const before = path.indexOf(name)
    if (before >= 0) {
      const circle = [...path.slice(before), name].map(truncateValue).join(' → ')
      findings.push(
        errorAtKey(
          ['services', name, 'depends_on'],
          `Circular dependency: ${circle}. Remove one of them from depends_on.`,
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
