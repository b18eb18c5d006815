import { imageNamePattern, maxImageNameLength } from '../../../../contract/shared/image-name.ts'
import { type ComposeFile, inheritedValue } from '../read/compose-file.ts'
import { parseDuration } from '../read/read-service.ts'
import { warningAt, warningAtKey, type Finding, type Path, errorAt, errorAtKey } from './finding.ts'
import { isEmpty, isMap, toMap, namesWithSteps, toText } from '../read/untyped.ts'
import { isRemoteContext } from '../privileges/build-access.ts'
import { ignoredKeys, refusedKeys } from '../read/service-keys.ts'
import { truncateValue } from '../read/to-value.ts'

const restartPolicy = /^(?:no|always|unless-stopped|on-failure(?::\d+)?|)$/
const healthcheckDurations = ['interval', 'timeout', 'start_period', 'start_interval']

export const serviceRules = (file: ComposeFile): Finding[] =>
  Object.entries(file.services).flatMap(([name, service]) => {
    const path = ['services', name]
    const { restart, stop_grace_period, healthcheck } = service
    const findings = [...imageRules(file, name, path), ...keyRules(service, path)]
    const report = (message: string, ...steps: Path) => findings.push(errorAt([...path, ...steps], message))
    if (typeof restart === 'string' && !restartPolicy.test(restart))
      report('restart must be no, always, unless-stopped or on-failure.', 'restart')
    if (isWrongDuration(stop_grace_period)) report(durationSentence('stop_grace_period'), 'stop_grace_period')
    for (const key of healthcheckDurations)
      if (isWrongDuration(toMap(healthcheck)[key])) report(durationSentence(key), 'healthcheck', key)
    findings.push(...buildRules(service['build'], [...path, 'build']))
    if (!file.isActive(name))
      findings.push(
        warningAt(
          [...path, 'profiles'],
          `${truncateValue(name)} is disabled because none of its profiles is selected.`,
        ),
      )
    return findings
  })

function imageRules(file: ComposeFile, name: string, path: Path): Finding[] {
  const image = inheritedValue(file, name, 'image')
  if (image === undefined && inheritedValue(file, name, 'build') === undefined)
    return [errorAtKey(path, `Service ${truncateValue(name)} has neither image nor build. Set an image.`)]
  const own = file.services[name]?.['image']
  if (typeof own !== 'string' || (own.length <= maxImageNameLength && imageNamePattern.test(own))) return []
  const message = 'Invalid image name. Use a name such as nginx:1.27 or ghcr.io/owner/name:2.0.'
  return [errorAt([...path, 'image'], message)]
}

const keyRules = (service: Record<string, unknown>, path: Path): Finding[] =>
  Object.keys(service).flatMap((key) => {
    if (Object.hasOwn(refusedKeys, key)) return [errorAtKey([...path, key], `${key} ${refusedKeys[key]}.`)]
    return Object.hasOwn(ignoredKeys, key)
      ? [warningAtKey([...path, key], `${key} ${ignoredKeys[key]}. It is ignored.`)]
      : []
  })

const isWrongDuration = (value: unknown) =>
  typeof value === 'string' && (value.length >= 50 || parseDuration(value) === undefined)

const durationSentence = (key: string) => `${key} must be a duration, such as 30s or 1m30s.`

function buildRules(build: unknown, path: Path): Finding[] {
  if (build === undefined) return []
  const definition = isMap(build) ? build : { context: build }
  const context = toText(definition['context']) ?? '.'
  if (isRemoteContext(context) || 'dockerfile_inline' in definition) return []
  const message = `Slipway has only this file. Copy the build context ${truncateValue(context)} to the application folder on the server before you deploy.`
  return [warningAt(path, message)]
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
  if ('include' in top) findings.push(errorAtKey(['include'], `include ${elsewhere}`))
  if ('models' in top) findings.push(errorAtKey(['models'], `models ${refusedKeys['models']}.`))
  for (const [name, service] of Object.entries(services)) {
    if (toMap(service['extends'])['file'] !== undefined)
      findings.push(errorAt(['services', name, 'extends', 'file'], `extends ${elsewhere}`))
    if ('label_file' in service)
      findings.push(errorAtKey(['services', name, 'label_file'], `label_file ${elsewhere}`))
  }
  return findings
}

/** The application's variables replace `.env`, so other files are not read. */
export const envFileRules = ({ services }: ComposeFile): Finding[] =>
  Object.entries(services).flatMap(([name, { env_file: envFile }]) => {
    const path = ['services', name, 'env_file']
    const files = Array.isArray(envFile)
      ? envFile.map((file, step) => ({ file, at: [...path, step] }))
      : [{ file: envFile, at: path }]
    const message =
      'Slipway does not have this file. Add its variables to the environment variables of the application, which are available as .env.'
    return files
      .filter(({ file }) => ![undefined, '.env', './.env'].includes(isMap(file) ? file['path'] : file))
      .map(({ at }) => errorAt(at, message))
  })

export const passedVariables = ({ services }: ComposeFile): { name: string; path: Path }[] =>
  Object.entries(services).flatMap(([service, { environment }]) =>
    namesWithSteps(environment).flatMap(({ name, step }) => {
      const isAlone = typeof step === 'number' ? !name.includes('=') : toMap(environment)[name] === null
      return isAlone ? [{ name, path: ['services', service, 'environment', step] }] : []
    }),
  )
