import { type EngineFeature, hasFeature, needsDocker } from '../engine-features.ts'
import type { ComposeFile } from '../read/compose-file.ts'
import { toList, toMap } from '../read/untyped.ts'
import { errorAtKey, type Finding, type Path, warningAtKey } from './finding.ts'

/** Reports features that Docker on the chosen server lacks. Without a server, the deployment plan reports them. */
export const engineRules = ({ services }: ComposeFile, apiVersion: string | undefined): Finding[] =>
  apiVersion === undefined
    ? []
    : Object.entries(services).flatMap(([name, service]) =>
        usedFeatures(service)
          .filter(({ feature }) => !hasFeature(apiVersion, feature))
          .map(({ feature, isMount, path }) => {
            const at = ['services', name, ...path]
            return isMount
              ? errorAtKey(at, `${feature} ${needsDocker(feature)}. Upgrade Docker, or remove ${feature}.`)
              : warningAtKey(at, `${feature} ${needsDocker(feature)}. It is ignored.`)
          }),
      )

interface Use {
  feature: EngineFeature
  path: Path
  isMount?: boolean
}

function usedFeatures({ annotations, healthcheck, networks, volumes }: Record<string, unknown>): Use[] {
  const uses: Use[] = []
  if (annotations !== undefined) uses.push({ feature: 'annotations', path: ['annotations'] })
  if (toMap(healthcheck)['start_interval'] !== undefined)
    uses.push({ feature: 'start_interval', path: ['healthcheck', 'start_interval'] })
  for (const [key, network] of Object.entries(toMap(networks)))
    if (toMap(network)['gw_priority'] !== undefined)
      uses.push({ feature: 'gw_priority', path: ['networks', key, 'gw_priority'] })
  for (const [step, mount] of toList(volumes).entries()) {
    const { volume, bind } = toMap(mount)
    const path = ['volumes', step]
    if (toMap(volume)['subpath'] !== undefined)
      uses.push({ feature: 'subpath', path: [...path, 'volume', 'subpath'], isMount: true })
    if (toMap(bind)['recursive'] === 'readonly')
      uses.push({ feature: 'recursive: readonly', path: [...path, 'bind', 'recursive'], isMount: true })
  }
  return uses
}
