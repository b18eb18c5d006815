import { imageNamePattern, longestImageName } from '../../../../contract/shared/image-name.ts'
import { type ComposeFile, inherited } from '../read/compose-file.ts'
import { secondsOf } from '../duration.ts'
import { doubtful, doubtfulKey, type Finding, type Path, wrong, wrongKey } from './finding.ts'
import { isEmpty, isMap, mapOf, namesOf, textOf } from '../read/loose.ts'
import { isRemote } from '../privileges/remote-context.ts'
import { ignoredKeys, refusedKeys } from '../read/service-keys.ts'
import { short } from '../read/to-value.ts'

/** What every service has to be, for itself. */
export function serviceRules(file: ComposeFile): Finding[] {
  return Object.entries(file.services).flatMap(([name, service]) => {
    const path = ['services', name]
    return [
      ...imageRules(file, name, path),
      ...keyRules(service, path),
      ...('network_mode' in service && 'networks' in service
        ? [
            wrongKey(
              [...path, 'networks'],
              'networks and network_mode cannot stand together. Take one of them out.',
            ),
          ]
        : []),
      ...nameRules(service, path),
      ...countRules(service, path),
      ...restartRule(service['restart'], [...path, 'restart']),
      ...durationRules(service, path),
      ...buildRules(service['build'], [...path, 'build']),
      ...(file.isActive(name) ? [] : [leftOut(name, path)]),
    ]
  })
}

function imageRules(file: ComposeFile, name: string, path: Path): Finding[] {
  const image = inherited(file, name, 'image')
  if (image === undefined && inherited(file, name, 'build') === undefined)
    return [
      wrongKey(
        path,
        `The service ${short(name)} has neither an image nor a build. Name the image that it runs.`,
      ),
    ]
  const own = file.services[name]?.['image']
  if (typeof own !== 'string' || (own.length <= longestImageName && imageNamePattern.test(own))) return []
  return [
    wrong(
      [...path, 'image'],
      'This is not the name of an image, such as nginx:1.27 or ghcr.io/owner/name:2.0.',
    ),
  ]
}

const keyRules = (service: Record<string, unknown>, path: Path): Finding[] =>
  Object.keys(service).flatMap((key) => {
    const [refused, ignored] = [refusedKeys, ignoredKeys].map((all) =>
      Object.hasOwn(all, key) ? all[key] : undefined,
    )
    if (refused !== undefined) return [wrongKey([...path, key], `${key} ${refused}.`)]
    return ignored === undefined ? [] : [doubtfulKey([...path, key], `${key} ${ignored}, so it is left out.`)]
  })

function nameRules(service: Record<string, unknown>, path: Path): Finding[] {
  const replicas = mapOf(service['deploy'])['replicas'] ?? service['scale']
  return service['container_name'] !== undefined && Number(replicas) > 1
    ? [
        wrongKey(
          [...path, 'container_name'],
          'Only one container can have this name. Take the name out, or ask for one container.',
        ),
      ]
    : []
}

const countRules = (service: Record<string, unknown>, path: Path): Finding[] =>
  [['scale'], ['deploy', 'replicas']].flatMap((steps) => {
    const given = textOf(valueAt(service, steps))
    return given === undefined || /^\d{1,4}$/.test(given)
      ? []
      : [wrong([...path, ...steps], `${steps.at(-1)} must be a whole number.`)]
  })

const valueAt = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce((at, step) => mapOf(at)[step], value)

const restartRule = (restart: unknown, path: Path): Finding[] =>
  typeof restart !== 'string' || /^(?:no|always|unless-stopped|on-failure(?::\d+)?|)$/.test(restart)
    ? []
    : [wrong(path, 'restart must be no, always, unless-stopped or on-failure.')]

const durationRules = (service: Record<string, unknown>, path: Path): Finding[] =>
  [
    ['stop_grace_period'],
    ...['interval', 'timeout', 'start_period', 'start_interval'].map((key) => ['healthcheck', key]),
  ].flatMap((steps) => {
    const given = valueAt(service, steps)
    return typeof given !== 'string' || (given.length < 50 && secondsOf(given) !== undefined)
      ? []
      : [wrong([...path, ...steps], `${steps.at(-1)} must be a length of time, such as 30s or 1m30s.`)]
  })

function buildRules(build: unknown, path: Path): Finding[] {
  if (build === undefined) return []
  const given = isMap(build) ? build : { context: build }
  const context = textOf(given['context']) ?? '.'
  if (isRemote(context) || 'dockerfile_inline' in given) return []
  return [
    doubtful(
      path,
      `Slipway has only this file. What is built from ${short(context)} has to be in the application’s folder on the server before it is deployed.`,
    ),
  ]
}

const leftOut = (name: string, path: Path): Finding =>
  doubtful([...path, 'profiles'], `${short(name)} is left out, since none of its profiles is chosen.`)

const mostServices = 200

export const tooMany = ({ services }: ComposeFile): Finding[] =>
  Object.keys(services).length > mostServices
    ? [
        wrongKey(
          ['services'],
          `The file names more than ${mostServices} services. Split it into several applications.`,
        ),
      ]
    : []

/** What the file says of itself, and what it would have Compose read besides. */
export const fileRules = ({ isFile, top, services }: ComposeFile): Finding[] => [
  ...(isFile && isEmpty(top['services'])
    ? [wrongKey(['services'], 'The file names no service. Name at least one under services.')]
    : []),
  ...('version' in top ? [doubtfulKey(['version'], 'version means nothing any more. Take it out.')] : []),
  ...('include' in top ? [wrongKey(['include'], `include ${elsewhere}`)] : []),
  ...('models' in top ? [wrongKey(['models'], `models ${refusedKeys['models']}.`)] : []),
  ...Object.entries(services).flatMap(([name, service]) => [
    ...(mapOf(service['extends'])['file'] === undefined
      ? []
      : [wrong(['services', name, 'extends', 'file'], `extends ${elsewhere}`)]),
    ...('label_file' in service
      ? [wrongKey(['services', name, 'label_file'], `label_file ${elsewhere}`)]
      : []),
  ]),
]

export const envFileRules = ({ services }: ComposeFile): Finding[] =>
  Object.entries(services).flatMap(([name, service]) =>
    envFiles(service['env_file'], ['services', name, 'env_file']),
  )

const elsewhere = 'reads another file, and Slipway has only this one. Put here what is in it.'

/** The variables of the application are its `.env`. */
function envFiles(given: unknown, path: Path): Finding[] {
  const all = Array.isArray(given)
    ? given.map((one, step) => ({ one, at: [...path, step] }))
    : [{ one: given, at: path }]
  return all.flatMap(({ one, at }) => {
    const file = isMap(one) ? one['path'] : one
    return file === undefined || file === '.env' || file === './.env'
      ? []
      : [
          wrong(
            at,
            'Slipway has no such file. Put its variables into the environment of the application, which is .env here.',
          ),
        ]
  })
}

/** Each with the second of those that have it. */
export function nameClashes({ services }: ComposeFile): Finding[] {
  const known = new Map<string, string>()
  return Object.entries(services).flatMap(([name, { container_name: given }]) => {
    if (typeof given !== 'string') return []
    const other = known.get(given)
    known.set(given, name)
    return other === undefined
      ? []
      : [wrong(['services', name, 'container_name'], `${short(other)} has this container_name as well.`)]
  })
}

/** Variables that a container takes by their name alone. */
export const passedOn = ({ services }: ComposeFile): { name: string; path: Path }[] =>
  Object.entries(services).flatMap(([service, { environment }]) =>
    namesOf(environment).flatMap(({ name, step }) => {
      const isAlone = typeof step === 'number' ? !name.includes('=') : mapOf(environment)[name] === null
      return isAlone ? [{ name, path: ['services', service, 'environment', step] }] : []
    }),
  )
