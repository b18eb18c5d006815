import { buildPowers } from '../privileges/build-powers.ts'
import type { ComposeFile } from '../read/compose-file.ts'
import { doubtful, doubtfulKey, type Finding, type Path } from './finding.ts'
import { isMap, listOf, mapOf, namesOf, textOf } from '../read/loose.ts'
import { networkPowers } from '../privileges/network-powers.ts'
import { isLoosening } from '../../containers/host-access.ts'
import { isOwnLog, isOwnSysctl } from '../privileges/powers.ts'
import { isBelow, isOn, someFolder } from '../read/short-forms.ts'
import { volumePowers } from '../privileges/volume-powers.ts'

/** How each sentence ends that says who has to deploy it. */
export const needsAdmin = 'Only an admin may deploy this.'

/** What a service reaches by the ways that are seldom taken; see `powersOf`, which has the last word. */
export function reachRules(service: Record<string, unknown>, path: Path): Finding[] {
  const { security_opt, sysctls, runtime, volumes_from, logging, build } = service
  const isInHost = service['network_mode'] === 'host'
  const named = namesOf(sysctls).map(({ name, step }) => ({ name: name.split('=')[0] ?? '', step }))
  return [
    ...listOf(security_opt).flatMap((one, step) =>
      isLoosening(String(one))
        ? [at([...path, 'security_opt', step], 'This takes away what holds the container in.')]
        : [],
    ),
    ...named.flatMap(({ name, step }) =>
      isOwnSysctl(name, isInHost)
        ? []
        : [at([...path, 'sysctls', step], 'This is a setting of the whole server.')],
    ),
    ...((textOf(runtime) ?? 'runc') === 'runc'
      ? []
      : [at([...path, 'runtime'], 'This is not Docker’s own runtime.')]),
    ...listOf(volumes_from).flatMap((one, step) =>
      String(one).startsWith('container:')
        ? [at([...path, 'volumes_from', step], 'These are volumes of a container outside of the file.')]
        : [],
    ),
    ...(isOwnLog(textOf(mapOf(logging)['driver']) ?? '')
      ? []
      : [at([...path, 'logging', 'driver'], 'With this the server itself sends the log away.')]),
    ...(build !== undefined && reachesOut(build)
      ? [
          doubtfulKey(
            [...path, 'build'],
            `This build reaches the server beyond what lies right in the application’s folder. ${needsAdmin}`,
          ),
        ]
      : []),
  ]
}

const at = (path: Path, message: string): Finding => doubtful(path, `${message} ${needsAdmin}`)

function reachesOut(build: unknown): boolean {
  const given = isMap(build) ? build : { context: textOf(build) ?? '.' }
  const read = { ...given, privileged: isOn(given['privileged']) }
  return buildPowers('', { build: read }, someFolder).length > 0
}

const nothing = new Set<string>()

/** The same of what services share. */
export const sharedReachRules = ({ top }: ComposeFile): Finding[] => [
  ...Object.entries(mapOf(top['volumes'])).flatMap(([key, given]) => [
    ...othersRule(
      mapOf(given),
      ['volumes', key],
      'This may be of others: unless an application of this workspace made it, an admin has to deploy it.',
    ),
    ...(volumePowers(key, asMade(given), nothing).length > 0
      ? [at(['volumes', key], 'This may be something else of the server or its network.')]
      : []),
  ]),
  ...Object.entries(mapOf(top['networks'])).flatMap(([key, given]) => [
    ...othersRule(
      mapOf(given),
      ['networks', key],
      'This must not belong to another application. Unless this application created it, an admin has to deploy it.',
    ),
    ...(networkPowers(key, { ...asMade(given), ipam: mapOf(mapOf(given)['ipam']) }, nothing).length > 0
      ? [at(['networks', key], 'This may reach networks of the server, or take their addresses.')]
      : []),
  ]),
  ...['secrets', 'configs'].flatMap((section) =>
    Object.entries(mapOf(top[section])).flatMap(([key, given]) => {
      const file = textOf(mapOf(given)['file'])
      return file === undefined || isBelow(file)
        ? []
        : [at([section, key, 'file'], 'This file does not lie right in the application’s folder.')]
    }),
  ),
]

const asMade = (given: unknown) => {
  const { driver, driver_opts } = mapOf(given)
  const options = Object.entries(mapOf(driver_opts)).map(([key, value]) => [key, textOf(value) ?? ''])
  return { driver: textOf(driver), driver_opts: Object.fromEntries(options) }
}

/** Whose it is can only be seen on the server. */
const othersRule = ({ external, name }: Record<string, unknown>, path: Path, message: string): Finding[] =>
  isOn(external) || isMap(external) || name !== undefined ? [doubtful(path, message)] : []
