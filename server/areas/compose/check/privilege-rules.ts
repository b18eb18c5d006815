import { isNonDefaultCapability, isWeakSecurityOption } from '../../containers/host-access.ts'
import type { ComposeFile } from '../read/compose-file.ts'
import { errorAt, type Finding, type Path, warningAt, warningAtKey } from './finding.ts'
import { isDockerSocket, isForbiddenMount, protectedPathMessage } from '../privileges/host-paths.ts'
import { isMap, namesWithSteps, toList, toMap, toText } from '../read/untyped.ts'
import { isDirectlyInFolder, isTrue, readMount, sampleFolder } from '../read/short-forms.ts'
import { buildAccess } from '../privileges/build-access.ts'
import { networkAccess } from '../privileges/network-access.ts'
import { isLocalLogDriver, isNamespacedSysctl } from '../privileges/host-access.ts'
import { volumeAccess } from '../privileges/volume-access.ts'

const hostModes = ['network_mode', 'pid', 'ipc', 'uts', 'userns_mode', 'cgroup']
const dangerous = ['devices', 'device_cgroup_rules', 'gpus', 'cgroup_parent', 'external_links']

/** Reports host access while the user writes. The decision is made on the model that Docker Compose resolves. */
export const privilegeRules = ({ services }: ComposeFile): Finding[] =>
  Object.entries(services).flatMap(([name, service]) => {
    const path = ['services', name]
    return [
      ...(isTrue(service['privileged'])
        ? [
            warningAt(
              [...path, 'privileged'],
              `A privileged container has root access to the server. ${needsAdminSentence}`,
            ),
          ]
        : []),
      ...hostModes.flatMap((key) => modeRule(toText(service[key]), [...path, key])),
      ...dangerous.flatMap((key) =>
        service[key] === undefined
          ? []
          : [warningAtKey([...path, key], `${key} gives the container host access. ${needsAdminSentence}`)],
      ),
      ...toList(service['cap_add']).flatMap((one, step) =>
        !isNonDefaultCapability(String(one))
          ? []
          : [
              warningAt(
                [...path, 'cap_add', step],
                `This gives the container host access. ${needsAdminSentence}`,
              ),
            ],
      ),
      ...hostAccessRules(service, path),
      ...mountRules(service['volumes'], [...path, 'volumes']),
    ]
  })

function modeRule(mode: string | undefined, path: Path): Finding[] {
  if (mode === 'host')
    return [warningAt(path, `The container shares this namespace with the server. ${needsAdminSentence}`)]
  return mode?.startsWith('container:')
    ? [
        warningAt(
          path,
          `The container shares this namespace with a container outside this file. ${needsAdminSentence}`,
        ),
      ]
    : []
}

const mountRules = (mounts: unknown, path: Path): Finding[] =>
  toList(mounts).flatMap((one, step) => {
    const { type, source, readOnly } = readMount(one)
    const at = [...path, step]
    if (type !== 'bind') return []
    if (isDockerSocket(source))
      return [warningAt(at, `The Docker socket gives root access to the server. ${needsAdminSentence}`)]
    if (source.startsWith('/') && isForbiddenMount(source, readOnly))
      return [errorAt(at, protectedPathMessage(source))]
    if (isDirectlyInFolder(source)) return []
    const what = source.startsWith('/')
      ? `This mounts ${source} of the server into the container.`
      : 'This path is not directly in the application folder.'
    return [warningAt(at, `${what} ${needsAdminSentence}`)]
  })

/** Variables whose values become files in containers. */
export const fileVariables = ({ top }: ComposeFile): { name: string; path: Path }[] =>
  ['secrets', 'configs'].flatMap((section) =>
    Object.entries(toMap(top[section])).flatMap(([key, given]) => {
      const name = toMap(given)['environment']
      return typeof name === 'string' ? [{ name, path: [section, key, 'environment'] }] : []
    }),
  )

export const externalFileRules = ({ top }: ComposeFile): Finding[] =>
  ['secrets', 'configs'].flatMap((section) =>
    Object.entries(toMap(top[section])).flatMap(([name, given]) =>
      toMap(given)['external'] === true
        ? [
            errorAt(
              [section, name],
              `External ${section} need Docker Swarm. Use file, content or environment instead.`,
            ),
          ]
        : [],
    ),
  )

/** Shared ending of the sentences about host access. */
export const needsAdminSentence = 'Only an admin can deploy this.'

/** Covers rarely used ways to access the host; `listHostAccess` decides on the resolved model. */
function hostAccessRules(service: Record<string, unknown>, path: Path): Finding[] {
  const { security_opt, sysctls, runtime, volumes_from, logging, build } = service
  const isInHost = service['network_mode'] === 'host'
  const named = namesWithSteps(sysctls).map(({ name, step }) => ({ name: name.split('=')[0] ?? '', step }))
  return [
    ...toList(security_opt).flatMap((one, step) =>
      isWeakSecurityOption(String(one))
        ? [at([...path, 'security_opt', step], 'This option weakens the isolation of the container.')]
        : [],
    ),
    ...named.flatMap(({ name, step }) =>
      isNamespacedSysctl(name, isInHost)
        ? []
        : [at([...path, 'sysctls', step], 'This setting applies to the whole server.')],
    ),
    ...((toText(runtime) ?? 'runc') === 'runc'
      ? []
      : [at([...path, 'runtime'], 'This is not the default Docker runtime.')]),
    ...toList(volumes_from).flatMap((one, step) =>
      String(one).startsWith('container:')
        ? [at([...path, 'volumes_from', step], 'These volumes belong to a container outside this file.')]
        : [],
    ),
    ...(isLocalLogDriver(toText(toMap(logging)['driver']) ?? '')
      ? []
      : [
          at(
            [...path, 'logging', 'driver'],
            'With this driver, the server sends the logs to another system.',
          ),
        ]),
    ...(build !== undefined && reachesOut(build)
      ? [
          warningAtKey(
            [...path, 'build'],
            `This build accesses files or networks of the server outside the application folder. ${needsAdminSentence}`,
          ),
        ]
      : []),
  ]
}

const at = (path: Path, message: string): Finding => warningAt(path, `${message} ${needsAdminSentence}`)

function reachesOut(build: unknown): boolean {
  const given = isMap(build) ? build : { context: toText(build) ?? '.' }
  const read = { ...given, privileged: isTrue(given['privileged']) }
  return buildAccess('', { build: read }, sampleFolder).length > 0
}

const nothing = new Set<string>()

export const sharedHostAccessRules = ({ top }: ComposeFile): Finding[] => [
  ...Object.entries(toMap(top['volumes'])).flatMap(([key, given]) => [
    ...othersRule(
      toMap(given),
      ['volumes', key],
      'This volume may belong to another application. If no application of this workspace created it, only an admin can deploy this.',
    ),
    ...(volumeAccess(key, asMade(given), nothing).length > 0
      ? [at(['volumes', key], 'This volume may mount other files of the server or its network.')]
      : []),
  ]),
  ...Object.entries(toMap(top['networks'])).flatMap(([key, given]) => [
    ...othersRule(
      toMap(given),
      ['networks', key],
      'This network must not belong to another application. If this application did not create it, only an admin can deploy this.',
    ),
    ...(networkAccess(key, { ...asMade(given), ipam: toMap(toMap(given)['ipam']) }, nothing).length > 0
      ? [at(['networks', key], 'This network may reach networks of the server or take over their addresses.')]
      : []),
  ]),
  ...['secrets', 'configs'].flatMap((section) =>
    Object.entries(toMap(top[section])).flatMap(([key, given]) => {
      const file = toText(toMap(given)['file'])
      return file === undefined || isDirectlyInFolder(file)
        ? []
        : [at([section, key, 'file'], 'This file is not directly in the application folder.')]
    }),
  ),
]

const asMade = (given: unknown) => {
  const { driver, driver_opts } = toMap(given)
  const options = Object.entries(toMap(driver_opts)).map(([key, value]) => [key, toText(value) ?? ''])
  return { driver: toText(driver), driver_opts: Object.fromEntries(options) }
}

/** Only the server knows who created it. */
const othersRule = ({ external, name }: Record<string, unknown>, path: Path, message: string): Finding[] =>
  isTrue(external) || isMap(external) || name !== undefined ? [warningAt(path, message)] : []
