import { isPowerful } from '../../containers/capabilities.ts'
import type { ComposeFile } from '../read/compose-file.ts'
import { doubtful, doubtfulKey, type Finding, type Path, wrong } from './finding.ts'
import { isDockerSocket } from '../privileges/docker-socket.ts'
import { keptRefusal } from '../privileges/kept-folders.ts'
import { listOf, mapOf, textOf } from '../read/loose.ts'
import { needsAdmin, reachRules } from './reach-rules.ts'
import { isRefused } from '../privileges/refusals.ts'
import { isBelow, isOn, readMount } from '../read/short-forms.ts'

const hostModes = ['network_mode', 'pid', 'ipc', 'uts', 'userns_mode', 'cgroup']
const dangerous = ['devices', 'device_cgroup_rules', 'gpus', 'cgroup_parent', 'external_links']

/**
 * What gives a container power over the server, at its place. Whether somebody may deploy it is decided by what Docker
 * Compose makes of the file; here it is said while they write.
 */
export const powerRules = ({ services }: ComposeFile): Finding[] =>
  Object.entries(services).flatMap(([name, service]) => {
    const path = ['services', name]
    return [
      ...(isOn(service['privileged'])
        ? [
            doubtful(
              [...path, 'privileged'],
              `A privileged container can do anything on the server. ${needsAdmin}`,
            ),
          ]
        : []),
      ...hostModes.flatMap((key) => modeRule(textOf(service[key]), [...path, key])),
      ...dangerous.flatMap((key) =>
        service[key] === undefined
          ? []
          : [doubtfulKey([...path, key], `${key} reaches beyond the container. ${needsAdmin}`)],
      ),
      ...listOf(service['cap_add']).flatMap((one, step) =>
        !isPowerful(String(one))
          ? []
          : [doubtful([...path, 'cap_add', step], `This gives the container host access. ${needsAdmin}`)],
      ),
      ...reachRules(service, path),
      ...mountRules(service['volumes'], [...path, 'volumes']),
    ]
  })

function modeRule(mode: string | undefined, path: Path): Finding[] {
  if (mode === 'host') return [doubtful(path, `This is the server’s own, not the container’s. ${needsAdmin}`)]
  return mode?.startsWith('container:')
    ? [doubtful(path, `This is shared with a container outside of the file. ${needsAdmin}`)]
    : []
}

const mountRules = (mounts: unknown, path: Path): Finding[] =>
  listOf(mounts).flatMap((one, step) => {
    const { type, source, readOnly } = readMount(one)
    const at = [...path, step]
    if (type !== 'bind') return []
    if (isDockerSocket(source))
      return [doubtful(at, `The Docker socket is power over the whole server. ${needsAdmin}`)]
    if (source.startsWith('/') && isRefused(source, readOnly)) return [wrong(at, keptRefusal(source))]
    if (isBelow(source)) return []
    const what = source.startsWith('/')
      ? `This gives the container ${source} of the server.`
      : 'This does not lie right in the application’s folder.'
    return [doubtful(at, `${what} ${needsAdmin}`)]
  })

/** Variables whose values become files in containers. */
export const filedVariables = ({ top }: ComposeFile): { name: string; path: Path }[] =>
  ['secrets', 'configs'].flatMap((section) =>
    Object.entries(mapOf(top[section])).flatMap(([key, given]) => {
      const name = mapOf(given)['environment']
      return typeof name === 'string' ? [{ name, path: [section, key, 'environment'] }] : []
    }),
  )

/** Secrets and configs that Slipway does not have. */
export const externalRules = ({ top }: ComposeFile): Finding[] =>
  ['secrets', 'configs'].flatMap((section) =>
    Object.entries(mapOf(top[section])).flatMap(([name, given]) =>
      mapOf(given)['external'] === true
        ? [
            wrong(
              [section, name],
              `Only a swarm has external ${section}. Give it a file, a content or the name of a variable under environment.`,
            ),
          ]
        : [],
    ),
  )
