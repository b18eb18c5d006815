import { type ComposeFile, inheritedValue, withInherited } from '../read/compose-file.ts'
import { isTrue } from '../read/short-forms.ts'
import { isMap, toList, toMap, toText } from '../read/untyped.ts'
import { truncateValue } from '../read/to-value.ts'
import { errorAt, errorAtKey, type Finding, type Path, warningAt } from './finding.ts'

type Values = Record<string, unknown>

/** Conflicts that the schema allows and Docker Compose refuses, most of them in disabled services too. */
export const conflictRules = (file: ComposeFile): Finding[] => [
  ...Object.entries(file.services).flatMap(([name, service]) => [
    ...deviceRules(service, ['services', name]),
    ...hostRules(service, ['services', name]),
    ...hostRules(toMap(service['build']), ['services', name, 'build']),
    ...contextRules(toMap(service['build']), ['services', name, 'build']),
    ...nameRules(service, ['services', name]),
    ...(file.isActive(name) ? activeRules(withInherited(file, name), ['services', name]) : []),
  ]),
  ...sharedNames(file),
  ...['networks', 'volumes'].flatMap((section) =>
    Object.entries(toMap(file.top[section])).flatMap(([key, value]) =>
      externalRules(section, toMap(value), [section, key]),
    ),
  ),
]

function deviceRules({ devices }: Values, path: Path): Finding[] {
  return toList(devices).flatMap((device, step) => {
    const at = [...path, 'devices', step]
    const [source, target] = isMap(device)
      ? [device['source'], device['target']]
      : (toText(device) ?? '').split(':')
    if (source === undefined || source === '')
      return [errorAt(at, 'A device needs a path on the server, such as /dev/dri.')]
    if (isMap(device) ? target === undefined : String(device).split(':').length > 3)
      return [errorAt(at, 'Invalid device. Use source:target:permissions, such as /dev/dri:/dev/dri:rwm.')]
    return []
  })
}

const hostsSentence = 'Invalid host. Use name:address, such as db:10.0.0.5.'

const hostRules = ({ extra_hosts: hosts }: Values, path: Path): Finding[] =>
  toList(hosts).flatMap((line, step) =>
    typeof line === 'string' && !/^[^:=]+[:=]/.test(line)
      ? [errorAt([...path, 'extra_hosts', step], hostsSentence)]
      : [],
  )

const contextRules = ({ additional_contexts: contexts }: Values, path: Path): Finding[] =>
  toList(contexts).flatMap((line, step) =>
    typeof line === 'string' && !line.includes('=')
      ? [
          errorAt(
            [...path, 'additional_contexts', step],
            'Invalid context. Use name=path, such as assets=./assets.',
          ),
        ]
      : [],
  )

/** Docker Compose accepts a name if any part of it is valid, so only a name without a valid part is an error. */
function nameRules({ container_name: name }: Values, path: Path): Finding[] {
  if (typeof name !== 'string' || /^[a-z\d][\w.-]+$/i.test(name)) return []
  const find = /[a-z\d][\w.-]/i.test(name) ? warningAt : errorAt
  return [
    find(
      [...path, 'container_name'],
      'container_name must have at least two characters of a-z, A-Z, 0-9, _, . and -, and start with a letter or digit.',
    ),
  ]
}

const setTwice = [
  ['cpus', 'resources', 'limits', 'cpus'],
  ['mem_limit', 'resources', 'limits', 'memory'],
  ['mem_reservation', 'resources', 'reservations', 'memory'],
  ['pids_limit', 'resources', 'limits', 'pids'],
  ['scale', 'replicas'],
] as const

const units = ['', 'k', 'm', 'g', 't', 'p']

/** Parses a number, or a size in bytes. */
function parseAmount(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?) ?([kmgtp]?)i?b?$/i.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits) * 1024 ** units.indexOf(unit.toLowerCase())
}

function activeRules(service: Values, path: Path): Finding[] {
  const { container_name: name, scale, deploy, healthcheck, build, platform } = service
  const findings: Finding[] = []
  const report = (message: string, ...steps: Path) => findings.push(errorAt([...path, ...steps], message))
  for (const [key, ...steps] of setTwice) {
    const [one, other] = [service[key], steps.reduce<unknown>((value, step) => toMap(value)[step], deploy)]
    const amounts = [one, other].map((value) => parseAmount(toText(value) ?? ''))
    // Zero means no limit.
    const isUnset = amounts.includes(undefined) || (amounts[0] === 0 && key !== 'scale')
    if (!isUnset && amounts[0] !== amounts[1])
      report(`${key} and deploy.${steps.join('.')} differ. Remove one of them.`, key)
  }
  if (name !== undefined && Number(toText(toMap(deploy)['replicas'] ?? scale) ?? 1) > 1)
    report('Only one container can have this name. Remove it, or use one replica.', 'container_name')
  const test = toMap(healthcheck)['test']
  if (Array.isArray(test) && test.length > 0 && !['CMD', 'CMD-SHELL', 'NONE'].includes(toText(test[0]) ?? ''))
    report('A list under test must start with CMD, CMD-SHELL or NONE.', 'healthcheck', 'test')
  if (Number(toText(scale) ?? 0) < 0) report('scale must be at least 0.', 'scale')
  const platforms = toList(toMap(build)['platforms'])
  if (platform !== undefined && platforms.length > 0 && !platforms.includes(platform))
    report('The platforms of a build must include the platform of the service.', 'build', 'platforms')
  if (Number(toText(toMap(healthcheck)['retries']) ?? 0) < 0)
    report('retries must be at least 0.', 'healthcheck', 'retries')
  if (toMap(build)['dockerfile'] !== undefined && toMap(build)['dockerfile_inline'] !== undefined)
    report(
      'A build cannot set both dockerfile and dockerfile_inline. Remove one of them.',
      'build',
      'dockerfile',
    )
  const devices = toMap(toMap(toMap(deploy)['resources'])['reservations'])['devices']
  for (const [step, device] of toList(devices).entries())
    if (toMap(device)['count'] !== undefined && toMap(device)['device_ids'] !== undefined)
      report(
        'A device cannot set both count and device_ids. Remove one of them.',
        'deploy',
        'resources',
        'reservations',
        'devices',
        step,
      )
  for (const [key, step, mode] of fileModes(service))
    if (!/^[0-7]+$/.test(mode)) report('mode must be an octal number, such as 0440.', key, step, 'mode')
  return findings
}

const fileModes = (service: Values) =>
  ['secrets', 'configs'].flatMap((key) =>
    toList(service[key]).flatMap((entry, step): [key: string, step: number, mode: string][] => {
      const mode = toMap(entry)['mode']
      return typeof mode === 'string' ? [[key, step, mode]] : []
    }),
  )

function sharedNames(file: ComposeFile): Finding[] {
  const known = new Map<string, string>()
  return Object.keys(file.services).flatMap((service) => {
    const name = inheritedValue(file, service, 'container_name')
    if (typeof name !== 'string' || name === '' || !file.isActive(service)) return []
    const other = known.get(name)
    known.set(name, service)
    return other === undefined
      ? []
      : [
          errorAt(
            ['services', service, 'container_name'],
            `${truncateValue(other)} has the same container_name. Choose another name.`,
          ),
        ]
  })
}

function externalRules(section: string, value: Values, path: Path): Finding[] {
  const { external } = value
  const given = toMap(external)['name']
  if (given !== undefined && value['name'] !== undefined && given !== value['name'])
    return [errorAtKey([...path, 'external'], 'The two names differ. Remove the one under external.')]
  if (section === 'networks' || !(isTrue(external) || isMap(external))) return []
  return ['driver', 'driver_opts', 'labels'].flatMap((key) =>
    value[key] === undefined || value[key] === null
      ? []
      : [
          errorAtKey(
            [...path, key],
            `An external volume already exists, so it cannot have ${key}. Remove it.`,
          ),
        ],
  )
}
