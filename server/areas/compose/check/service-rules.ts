import { posix } from 'node:path'
import { imageNamePattern, maxImageNameLength } from '../../../../contract/shared/image-name.ts'
import { type ComposeFile, inheritedValue } from '../read/compose-file.ts'
import { warningAt, warningAtKey, type Finding, type Path, errorAt, errorAtKey } from './finding.ts'
import { isEmpty, isMap, toList, toMap, namesWithSteps, toText } from '../read/untyped.ts'
import { isTrue } from '../read/short-forms.ts'
import { isRemoteContext } from '../privileges/build-access.ts'
import { ignoredKeys, refusedKeys } from '../read/service-keys.ts'
import { truncateValue } from '../read/to-value.ts'

const restartPolicy = /^(?:no|always|unless-stopped|on-failure(?::\d+)?|)$/

/** Docker Compose does not check services that their profiles disable. */
export const serviceRules = (file: ComposeFile): Finding[] =>
  Object.entries(file.services).flatMap(([name, service]) => {
    const path = ['services', name]
    if (!file.isActive(name)) return [disabledWarning(name, service, path)]
    const { restart } = service
    const findings = [...imageRules(file, name, path), ...keyRules(service, path)]
    const report = (message: string, ...steps: Path) => findings.push(errorAt([...path, ...steps], message))
    if (typeof restart === 'string' && !restartPolicy.test(restart))
      report('restart must be no, always, unless-stopped or on-failure.', 'restart')
    const networkMode = inheritedValue(file, name, 'network_mode') ?? ''
    if (networkMode !== '' && !isEmpty(inheritedValue(file, name, 'networks')))
      report('A service can have either network_mode or networks. Remove one of them.', 'network_mode')
    for (const key of ['network_mode', 'pid', 'ipc', 'uts'])
      if (service[key] === 'service:') report('Specify a service, such as service:db.', key)
    findings.push(
      ...buildRules(service['build'], [...path, 'build']),
      ...mountRules(service['volumes'], [...path, 'volumes']),
    )
    return findings
  })

function disabledWarning(name: string, service: Record<string, unknown>, path: Path): Finding {
  const message = `${truncateValue(name)} is disabled because none of its profiles is selected.`
  return 'profiles' in service ? warningAt([...path, 'profiles'], message) : warningAtKey(path, message)
}

function imageRules(file: ComposeFile, name: string, path: Path): Finding[] {
  const image = inheritedValue(file, name, 'image') ?? ''
  const isMissing = ['build', 'provider'].every((key) => inheritedValue(file, name, key) === undefined)
  if (image === '' && isMissing)
    return [errorAtKey(path, `Service ${truncateValue(name)} has neither image nor build. Set an image.`)]
  const own = file.services[name]?.['image']
  if (typeof own !== 'string' || own === '') return []
  if (own.length <= maxImageNameLength && imageNamePattern.test(own)) return []
  const message = 'Invalid image name. Use a name such as nginx:1.27 or ghcr.io/owner/name:2.0.'
  return [errorAt([...path, 'image'], message)]
}

const keyRules = (service: Record<string, unknown>, path: Path): Finding[] =>
  Object.keys(service).flatMap((key) => {
    if (Object.hasOwn(refusedKeys, key) && !isEmpty(service[key]) && service[key] !== false)
      return [errorAtKey([...path, key], `${key} ${refusedKeys[key]}.`)]
    return Object.hasOwn(ignoredKeys, key)
      ? [warningAtKey([...path, key], `${key} ${ignoredKeys[key]}. It is ignored.`)]
      : []
  })

function buildRules(build: unknown, path: Path): Finding[] {
  if (build === undefined) return []
  const definition = isMap(build) ? build : { context: build }
  const context = toText(definition['context']) ?? '.'
  if (isRemoteContext(context) || 'dockerfile_inline' in definition) return []
  const message = `Slipway has only this file. Copy the build context ${truncateValue(context)} to the application folder on the server before you deploy.`
  return [warningAt(path, message)]
}

const emptySection =
  'One side of a colon is empty. Write source:target, such as data:/data. If a variable is empty here, set it or give it a default, such as ${DATA:-data}.'

const windowsDrive =
  'Docker Compose reads a letter before a colon as a Windows drive, but servers run Linux. Use a path such as /srv/data, or a longer name.'

const mountRules = (mounts: unknown, path: Path): Finding[] =>
  toList(mounts).flatMap((mount, step) => {
    const at = [...path, step]
    if (isMap(mount)) return longMountRules(mount, at)
    if (typeof mount !== 'string') return []
    if (mount.split(':').some((section) => section === '')) return [errorAt(at, emptySection)]
    if (/^\p{L}:/u.test(mount)) return [errorAt(at, windowsDrive)]
    const isTooLong = mount.split(':').length > 3
    return isTooLong ? [errorAt(at, 'A mount has at most three parts: source:target:options.')] : []
  })

function longMountRules({ type, source, target }: Record<string, unknown>, at: Path): Finding[] {
  if (typeof type === 'string' && !['bind', 'volume', 'tmpfs'].includes(type))
    return [
      errorAt(at, `Mounts of type ${truncateValue(type)} are not supported. Use volume, bind or tmpfs.`),
    ]
  if (type === 'bind' && source === undefined) return [errorAt(at, 'A bind mount needs a source.')]
  return target === undefined
    ? [errorAt(at, 'A mount needs a target, which is a path in the container.')]
    : []
}

const mostServices = 200

export function serviceCountRules({ services }: ComposeFile): Finding[] {
  const message = `The file has more than ${mostServices} services. Split it into several applications.`
  return Object.keys(services).length > mostServices ? [errorAtKey(['services'], message)] : []
}

const elsewhere = 'reads another file, but Slipway has only this one. Copy its content here.'

export function fileRules({ isFile, top, services }: ComposeFile): Finding[] {
  const findings: Finding[] = []
  if (isFile && isEmpty(top['services']))
    findings.push(errorAtKey(['services'], 'The file has no services. Add at least one under services.'))
  if ('version' in top) findings.push(warningAtKey(['version'], 'version is obsolete. Remove it.'))
  if (!isEmpty(top['include'])) findings.push(errorAtKey(['include'], `include ${elsewhere}`))
  if (!isEmpty(top['models'])) findings.push(errorAtKey(['models'], `models ${refusedKeys['models']}.`))
  for (const [name, service] of Object.entries(services)) {
    if (toMap(service['extends'])['file'] !== undefined)
      findings.push(errorAt(['services', name, 'extends', 'file'], `extends ${elsewhere}`))
    if ('label_file' in service)
      findings.push(errorAtKey(['services', name, 'label_file'], `label_file ${elsewhere}`))
  }
  return findings
}

/**
 * The application's variables replace `.env`. Other files may only be missing: Compose would read them with the permissions
 * of Slipway, so a path must not lead out of its empty folder, whatever Compose's own variables are.
 */
export const envFileRules = (file: ComposeFile, written: ComposeFile): Finding[] =>
  Object.entries(written.services).flatMap(([name, { env_file: envFile }]) =>
    listEnvFiles(envFile).flatMap(({ file: entry, steps }) => {
      const path = ['services', name, 'env_file', ...steps]
      const given = listEnvFiles(file.services[name]?.['env_file'])[steps[0] ?? 0]?.file
      const text = toText(isMap(entry) ? entry['path'] : entry) ?? ''
      const resolved = toText(isMap(given) ? given['path'] : given) ?? ''
      if (!isPredictable(text) || !staysInside(resolved)) return [errorAt(path, noEnvFile)]
      if (posix.normalize(resolved) === '.env') return []
      const isOptional = isMap(given) && given['required'] !== undefined && !isTrue(given['required'])
      return [isOptional || !file.isActive(name) ? warningAt(path, skippedEnvFile) : errorAt(path, noEnvFile)]
    }),
  )

const listEnvFiles = (value: unknown): { file: unknown; steps: number[] }[] => {
  if (Array.isArray(value)) return value.map((file: unknown, step) => ({ file, steps: [step] }))
  return value === undefined ? [] : [{ file: value, steps: [] }]
}

const addVariables =
  'Add its variables to the environment variables of the application, which are available as .env.'
const noEnvFile = `Slipway does not have this file. ${addVariables}`
const skippedEnvFile = `Slipway does not have this file, so it is skipped. ${addVariables}`

const variable = /\$(?:(?<plain>[A-Za-z_]\w*)|\{(?<braced>[A-Za-z_]\w*)(?::?-[\w./-]*)?\})/g
/** Docker and shells set these variables, which take precedence over the application's variables. */
const setElsewhere =
  /^(?:(?:COMPOSE|DOCKER|OTEL|SNAP|XDG)_.*|_|HOME|LOGNAME|OLDPWD|PATH|PWD|SHELL|SHLVL|SNAP|TMPDIR|USER)$/i

/** Allows only forms of variables that Compose cannot read differently. */
const isPredictable = (path: string) =>
  !path
    .replaceAll(variable, (_all, plain: string = '', braced: string = '') =>
      setElsewhere.test(plain || braced) ? '$' : '',
    )
    .includes('$')

const staysInside = (path: string) =>
  !/^(?:[/~\\]|[a-z]:)/i.test(path) && !/^\.\.(?:\/|$)/.test(posix.normalize(path))

export const passedVariables = ({ services }: ComposeFile): { name: string; path: Path }[] =>
  Object.entries(services).flatMap(([service, { environment }]) =>
    namesWithSteps(environment).flatMap(({ name, step }) => {
      const isAlone = typeof step === 'number' ? !name.includes('=') : toMap(environment)[name] === null
      return isAlone ? [{ name, path: ['services', service, 'environment', step] }] : []
    }),
  )
