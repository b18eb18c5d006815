import { imageNamePattern, maxImageNameLength } from '../../../../contract/shared/image-name.ts'
import { type ComposeFile, inheritedValue } from '../read/compose-file.ts'
import { parseDuration } from '../read/read-service.ts'
import { warningAt, warningAtKey, type Finding, type Path, errorAt, errorAtKey } from './finding.ts'
import { isEmpty, isMap, toMap, namesWithSteps, toText } from '../read/untyped.ts'
import { isRemoteContext } from '../privileges/build-access.ts'
import { ignoredKeys, refusedKeys } from '../read/service-keys.ts'
import { truncateValue } from '../read/to-value.ts'

export function serviceRules(file: ComposeFile): Finding[] {
  return Object.entries(file.services).flatMap(([name, service]) => {
    const path = ['services', name]
    return [
      ...imageRules(file, name, path),
      ...keyRules(service, path),
      ...restartRule(service['restart'], [...path, 'restart']),
      ...durationRules(service, path),
      ...buildRules(service['build'], [...path, 'build']),
      ...(file.isActive(name) ? [] : [leftOut(name, path)]),
    ]
  })
}

function imageRules(file: ComposeFile, name: string, path: Path): Finding[] {
  const image = inheritedValue(file, name, 'image')
  if (image === undefined && inheritedValue(file, name, 'build') === undefined)
    return [errorAtKey(path, `Service ${truncateValue(name)} has neither image nor build. Set an image.`)]
  const own = file.services[name]?.['image']
  if (typeof own !== 'string' || (own.length <= maxImageNameLength && imageNamePattern.test(own))) return []
  return [
    errorAt(
      [...path, 'image'],
      'Invalid image name. Use a name such as nginx:1.27 or ghcr.io/owner/name:2.0.',
    ),
  ]
}

const keyRules = (service: Record<string, unknown>, path: Path): Finding[] =>
  Object.keys(service).flatMap((key) => {
    const [refused, ignored] = [refusedKeys, ignoredKeys].map((all) =>
      Object.hasOwn(all, key) ? all[key] : undefined,
    )
    if (refused !== undefined) return [errorAtKey([...path, key], `${key} ${refused}.`)]
    return ignored === undefined ? [] : [warningAtKey([...path, key], `${key} ${ignored}. It is ignored.`)]
  })

const valueAt = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce((at, step) => toMap(at)[step], value)

const restartRule = (restart: unknown, path: Path): Finding[] =>
  typeof restart !== 'string' || /^(?:no|always|unless-stopped|on-failure(?::\d+)?|)$/.test(restart)
    ? []
    : [errorAt(path, 'restart must be no, always, unless-stopped or on-failure.')]

const durationRules = (service: Record<string, unknown>, path: Path): Finding[] =>
  [
    ['stop_grace_period'],
    ...['interval', 'timeout', 'start_period', 'start_interval'].map((key) => ['healthcheck', key]),
  ].flatMap((steps) => {
    const given = valueAt(service, steps)
    return typeof given !== 'string' || (given.length < 50 && parseDuration(given) !== undefined)
      ? []
      : [errorAt([...path, ...steps], `${steps.at(-1)} must be a duration, such as 30s or 1m30s.`)]
  })

function buildRules(build: unknown, path: Path): Finding[] {
  if (build === undefined) return []
  const given = isMap(build) ? build : { context: build }
  const context = toText(given['context']) ?? '.'
  if (isRemoteContext(context) || 'dockerfile_inline' in given) return []
  return [
    warningAt(
      path,
      `Slipway has only this file. Copy the build context ${truncateValue(context)} to the application folder on the server before you deploy.`,
    ),
  ]
}

const leftOut = (name: string, path: Path): Finding =>
  warningAt(
    [...path, 'profiles'],
    `${truncateValue(name)} is disabled because none of its profiles is selected.`,
  )

const mostServices = 200

export const serviceCountRules = ({ services }: ComposeFile): Finding[] =>
  Object.keys(services).length > mostServices
    ? [
        errorAtKey(
          ['services'],
          `The file has more than ${mostServices} services. Split it into several applications.`,
        ),
      ]
    : []

export const fileRules = ({ isFile, top, services }: ComposeFile): Finding[] => [
  ...(isFile && isEmpty(top['services'])
    ? [errorAtKey(['services'], 'The file has no services. Add at least one under services.')]
    : []),
  ...('version' in top ? [warningAtKey(['version'], 'version is obsolete. Remove it.')] : []),
  ...('include' in top ? [errorAtKey(['include'], `include ${elsewhere}`)] : []),
  ...('models' in top ? [errorAtKey(['models'], `models ${refusedKeys['models']}.`)] : []),
  ...Object.entries(services).flatMap(([name, service]) => [
    ...(toMap(service['extends'])['file'] === undefined
      ? []
      : [errorAt(['services', name, 'extends', 'file'], `extends ${elsewhere}`)]),
    ...('label_file' in service
      ? [errorAtKey(['services', name, 'label_file'], `label_file ${elsewhere}`)]
      : []),
  ]),
]

export const envFileRules = ({ services }: ComposeFile): Finding[] =>
  Object.entries(services).flatMap(([name, service]) =>
    envFiles(service['env_file'], ['services', name, 'env_file']),
  )

const elsewhere = 'reads another file, but Slipway has only this one. Copy its content here.'

/** The application's variables replace `.env`, so other files are not read. */
function envFiles(given: unknown, path: Path): Finding[] {
  const all = Array.isArray(given)
    ? given.map((one, step) => ({ one, at: [...path, step] }))
    : [{ one: given, at: path }]
  return all.flatMap(({ one, at }) => {
    const file = isMap(one) ? one['path'] : one
    return file === undefined || file === '.env' || file === './.env'
      ? []
      : [
          errorAt(
            at,
            'Slipway does not have this file. Add its variables to the environment variables of the application, which are available as .env.',
          ),
        ]
  })
}

/** Reports the second service with the same name. */
export const passedVariables = ({ services }: ComposeFile): { name: string; path: Path }[] =>
  Object.entries(services).flatMap(([service, { environment }]) =>
    namesWithSteps(environment).flatMap(({ name, step }) => {
      const isAlone = typeof step === 'number' ? !name.includes('=') : toMap(environment)[name] === null
      return isAlone ? [{ name, path: ['services', service, 'environment', step] }] : []
    }),
  )
