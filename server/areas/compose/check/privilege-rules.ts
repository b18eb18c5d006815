import { isNonDefaultCapability } from '../../containers/capabilities.ts'
import type { ComposeFile } from '../read/compose-file.ts'
import { warningAt, warningAtKey, type Finding, type Path, errorAt } from './finding.ts'
import { isDockerSocket } from '../privileges/docker-socket.ts'
import { protectedPathMessage } from '../privileges/protected-folders.ts'
import { toList, toMap, toText } from '../read/untyped.ts'
import { needsAdminSentence, hostAccessRules } from './host-access-rules.ts'
import { isForbiddenMount } from '../privileges/forbidden-mounts.ts'
import { isDirectlyInFolder, isTrue, readMount } from '../read/short-forms.ts'

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
