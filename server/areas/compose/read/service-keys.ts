import { readKeys } from './service-schema.ts'

/** Why a service that has one of these cannot be deployed; each goes on after the name of the key. */
export const refusedKeys: Record<string, string> = {
  credential_spec: 'is for Windows containers, and servers here run Linux',
  isolation: 'is for Windows containers, and servers here run Linux',
  models: 'asks for a model runner, which servers here do not have',
  post_start: 'runs commands in a container that has started, which is not done here',
  pre_stop: 'runs commands in a container that is to stop, which is not done here',
  provider: 'asks for a program outside of Docker, which is not run here',
  use_api_socket: 'hands on the Docker socket; name it under volumes instead, which an admin may',
}

/** What means nothing here, and why; each goes on after the name of the key. */
export const ignoredKeys: Record<string, string> = {
  annotations: 'needs a newer version of Docker’s API than the one that is spoken here',
  attach: 'is only for a terminal that Docker Compose runs in',
  cpu_count: 'is for Windows containers',
  cpu_percent: 'is for Windows containers',
  develop: 'is only for a developer’s own machine',
}

/** Of `deploy`: what only a swarm knows, and what Docker cannot do without one. */
export const ignoredDeployKeys: Record<string, string> = {
  endpoint_mode: 'is only for a swarm',
  labels: 'are only for a swarm; those of its containers stand under labels of the service',
  placement: 'is only for a swarm',
  rollback_config: 'is only for a swarm; a deployment that fails is undone in any case',
  update_config:
    'is only for a swarm; the label slipway.roll, "true" or "false", decides whether a service is rolled',
}

/** Docker Compose has done these by the time that its result is read. */
const resolvedKeys = ['env_file', 'extends', 'label_file']

const known = new Set([...resolvedKeys, ...readKeys])

/** What becomes of a key of a service: none is dropped without a word. */
export function fateOf(key: string): 'carried' | 'ignored' | 'refused' {
  if (known.has(key) || key.startsWith('x-')) return 'carried'
  return Object.hasOwn(ignoredKeys, key) ? 'ignored' : 'refused'
}
