import { isNonDefaultCapability, isWeakSecurityOption } from '../../containers/host-access.ts'
import type { ComposeFile } from '../read/compose-file.ts'
import { errorAt, type Finding, type Path, warningAt, warningAtKey } from './finding.ts'
import {
  forbiddenMountMessage,
  forbiddenVolumeMessage,
  isDockerSocket,
  isForbiddenMount,
  isInSocketFolder,
  volumeOptionProblem,
  volumePaths,
} from '../privileges/host-paths.ts'
import { isMap, namesWithSteps, toList, toMap, toText } from '../read/untyped.ts'
import { isDirectlyInFolder, isTrue, readMount, sampleFolder } from '../read/short-forms.ts'
import { formatAlternatives } from '../../../../contract/shared/format-list.ts'
import { buildAccess } from '../privileges/build-access.ts'
import { networkAccess } from '../privileges/network-access.ts'
import { isLocalLogDriver, isNamespacedSysctl } from '../privileges/host-access.ts'
import { volumeAccess } from '../privileges/volume-access.ts'

const hostModes = ['network_mode', 'pid', 'ipc', 'uts', 'userns_mode', 'cgroup']
const dangerous = ['devices', 'device_cgroup_rules', 'gpus', 'cgroup_parent', 'external_links']

export const needsAdminSentence = 'Only an admin can deploy this.'

/** Reports host access while the user writes. The decision is made on the model that Docker Compose resolves. */
export const privilegeRules = ({ services, isActive }: ComposeFile): Finding[] =>
  Object.entries(services).flatMap(([name, service]) =>
    isActive(name) ? serviceRules(service, ['services', name]) : [],
  )

function serviceRules(service: Record<string, unknown>, path: Path): Finding[] {
  const { sysctls, runtime, logging, build } = service
  const findings: Finding[] = []
  const report = (steps: Path, message: string) => findings.push(adminAt([...path, ...steps], message))
  const reportItems = (key: string, isRisky: (item: string) => boolean, message: string) => {
    for (const [step, item] of toList(service[key]).entries())
      if (isRisky(toText(item) ?? '')) report([key, step], message)
  }

  if (isTrue(service['privileged']))
    report(['privileged'], 'A privileged container has root access to the server.')
  for (const key of hostModes) {
    const mode = toText(service[key])
    if (mode === 'host') report([key], 'The container shares this namespace with the server.')
    if (mode?.startsWith('container:'))
      report([key], 'The container shares this namespace with a container outside this file.')
  }
  const network = toText(service['network_mode']) ?? 'default'
  if (!/^(?:bridge|default|host|none|(?:service|container):.*)$/.test(network))
    report(['network_mode'], 'The container joins a network outside this file.')
  for (const key of dangerous)
    if (service[key] !== undefined)
      findings.push(adminAtKey([...path, key], `${key} gives the container host access.`))
  reportItems('cap_add', isNonDefaultCapability, 'This gives the container host access.')
  reportItems('security_opt', isWeakSecurityOption, 'This option weakens the isolation of the container.')
  for (const { name, step } of namesWithSteps(sysctls))
    if (!isNamespacedSysctl(name.split('=')[0] ?? '', service['network_mode'] === 'host'))
      report(['sysctls', step], 'This setting applies to the whole server.')
  for (const { step } of namesWithSteps(service['annotations']))
    report(['annotations', step], 'The container runtime may act on this annotation.')
  if ((toText(runtime) ?? 'runc') !== 'runc') report(['runtime'], 'This is not the default Docker runtime.')
  reportItems(
    'volumes_from',
    (item) => item.startsWith('container:'),
    'These volumes belong to a container outside this file.',
  )
  if (!isLocalLogDriver(toText(toMap(logging)['driver']) ?? ''))
    report(['logging', 'driver'], 'With this driver, the server sends the logs to another system.')
  if (build !== undefined && reachesOut(build))
    findings.push(
      adminAtKey(
        [...path, 'build'],
        'This build accesses server networks, or files outside the application folder.',
      ),
    )
  return [...findings, ...mountRules(service['volumes'], [...path, 'volumes'])]
}

const adminAt = (path: Path, message: string) => warningAt(path, `${message} ${needsAdminSentence}`)
const adminAtKey = (path: Path, message: string) => warningAtKey(path, `${message} ${needsAdminSentence}`)

function reachesOut(build: unknown): boolean {
  const definition = isMap(build) ? build : { context: toText(build) ?? '.' }
  const read = { ...definition, privileged: isTrue(definition['privileged']) }
  return buildAccess('', { build: read }, sampleFolder).length > 0
}

const mountRules = (mounts: unknown, path: Path): Finding[] =>
  toList(mounts).flatMap((mount, step) => {
    const { type, source, readOnly } = readMount(mount)
    const at = [...path, step]
    if (type !== 'bind') return []
    if (isDockerSocket(source)) return [adminAt(at, 'The Docker socket gives root access to the server.')]
    if (source.startsWith('/') && isForbiddenMount(source, readOnly))
      return [errorAt(at, forbiddenMountMessage(source))]
    if (isDirectlyInFolder(source)) return []
    if (source.startsWith('/') && isInSocketFolder(source))
      return [adminAt(at, 'The sockets in /run give root access to the server.')]
    if (source.startsWith('~'))
      return [adminAt(at, '~ is not expanded: it would be a folder named ~. Use a full path.')]
    const what = source.startsWith('/')
      ? `This mounts ${source} from the server into the container.`
      : 'This path is not directly in the application folder.'
    return [adminAt(at, what)]
  })

const entriesIn = (top: ComposeFile['top'], section: string) =>
  Object.entries(toMap(top[section])).map(([key, value]) => ({
    key,
    value: toMap(value),
    path: [section, key],
  }))

const filesIn = (top: ComposeFile['top']) =>
  ['secrets', 'configs'].flatMap((section) => entriesIn(top, section))

/** Returns the secrets and configs of active services. Docker Compose ignores all others. */
function usedFiles({ top, services, isActive }: ComposeFile) {
  const used = new Set(
    Object.entries(services)
      .filter(([name]) => isActive(name))
      .flatMap(([, { secrets, configs, build }]) => [
        ...[...toList(secrets), ...toList(toMap(build)['secrets'])].map(
          (entry) => `secrets ${nameOf(entry)}`,
        ),
        ...toList(configs).map((entry) => `configs ${nameOf(entry)}`),
      ]),
  )
  return filesIn(top).filter(({ path }) => used.has(path.join(' ')))
}

const nameOf = (entry: unknown) => toText(isMap(entry) ? entry['source'] : entry) ?? ''

export const fileVariables = (file: ComposeFile): { name: string; path: Path }[] =>
  usedFiles(file).flatMap(({ value: { environment: name }, path }) =>
    typeof name === 'string' ? [{ name, path: [...path, 'environment'] }] : [],
  )

export const externalFileRules = (file: ComposeFile): Finding[] =>
  usedFiles(file)
    .filter(({ value }) => isTrue(value['external']) || isMap(value['external']))
    .map(({ path }) =>
      errorAt(path, `External ${path[0]} need Docker Swarm. Use file, content or environment instead.`),
    )

export const fileContentRules = ({ top }: ComposeFile): Finding[] =>
  filesIn(top).flatMap(({ value, path }) => {
    const sources = ['file', 'environment', ...(path[0] === 'configs' ? ['content'] : [])]
    const given = sources.filter((source) => value[source] !== undefined)
    if (given.length === 1 || value['external'] !== undefined) return []
    return [errorAt(path, `Set one of ${formatAlternatives(sources)}.`)]
  })

const nothing = new Set<string>()

export function sharedHostAccessRules({ top }: ComposeFile): Finding[] {
  const findings: Finding[] = []
  for (const { key, value, path } of entriesIn(top, 'volumes')) {
    if (mayBelongToOthers(value))
      findings.push(
        warningAt(
          path,
          'This volume may belong to another application. If no application of this workspace created it, only an admin can deploy this.',
        ),
      )
    const driver = readDriver(value)
    // Docker Compose resolves `./data` to the application folder.
    const [forbidden] = volumePaths(driver.driver_opts).flatMap((mounted) =>
      mounted.path.startsWith('.') ? [] : (forbiddenVolumeMessage(mounted) ?? []),
    )
    const why = forbidden ?? volumeOptionProblem(driver)
    if (why !== undefined) findings.push(errorAt([...path, 'driver_opts'], why))
    else if (volumeAccess(key, driver, nothing).length > 0)
      findings.push(adminAt(path, 'This volume may mount files from the server or from a network share.'))
  }
  for (const { key, value, path } of entriesIn(top, 'networks')) {
    if (mayBelongToOthers(value))
      findings.push(
        warningAt(
          path,
          'If this application did not create this network, only an admin can deploy this. You cannot use a network of another application.',
        ),
      )
    if (networkAccess(key, { ...readDriver(value), ipam: toMap(value['ipam']) }, nothing).length > 0)
      findings.push(
        adminAt(path, 'This network may reach the server’s networks or take over their addresses.'),
      )
  }
  for (const { value, path } of filesIn(top)) {
    const file = toText(value['file'])
    if (file !== undefined && !isDirectlyInFolder(file))
      findings.push(adminAt([...path, 'file'], 'This file is not directly in the application folder.'))
  }
  return findings
}

function readDriver({ driver, driver_opts }: Record<string, unknown>) {
  const options = Object.entries(toMap(driver_opts)).map(([key, value]) => [key, toText(value) ?? ''])
  return { driver: toText(driver), driver_opts: Object.fromEntries(options) }
}

/** Only the server knows who created a resource, so every explicit name counts. */
const mayBelongToOthers = ({ external, name }: Record<string, unknown>) =>
  isTrue(external) || isMap(external) || name !== undefined
