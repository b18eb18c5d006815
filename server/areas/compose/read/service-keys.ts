import { readKeys } from './service-schema.ts'

/** Sentences continue after the name of the key. */
export const refusedKeys: Record<string, string> = {
  credential_spec: 'is for Windows containers, but servers run Linux',
  isolation: 'is for Windows containers, but servers run Linux',
  models: 'needs a model runner, which is not supported',
  post_start: 'runs commands after a container starts, which is not supported',
  pre_stop: 'runs commands before a container stops, which is not supported',
  provider: 'needs a program outside Docker, which is not supported',
  use_api_socket: 'mounts the Docker socket; list it under volumes instead, which needs an admin',
}

/** Sentences continue after the name of the key. */
export const ignoredKeys: Record<string, string> = {
  annotations: 'needs a newer Docker API version',
  attach: 'applies only to docker compose in a terminal',
  cpu_count: 'is for Windows containers',
  cpu_percent: 'is for Windows containers',
  develop: 'applies only to local development',
}

/** Keys of `deploy` that require Swarm. */
export const ignoredDeployKeys: Record<string, string> = {
  endpoint_mode: 'needs Docker Swarm',
  labels: 'needs Docker Swarm;  set container labels under labels of the service',
  placement: 'needs Docker Swarm',
  rollback_config: 'needs Docker Swarm; a failed deployment is always reverted',
  update_config:
    'needs Docker Swarm; the label slipway.roll, "true" or "false", turns rolling updates on or off',
}

/** Docker Compose has resolved these in its output. */
const resolvedKeys = ['env_file', 'extends', 'label_file']

const known = new Set([...resolvedKeys, ...readKeys])

/** Every key is classified, so that none is dropped silently. */
export function keySupport(key: string): 'carried' | 'ignored' | 'refused' {
  if (known.has(key) || key.startsWith('x-')) return 'carried'
  return Object.hasOwn(ignoredKeys, key) ? 'ignored' : 'refused'
}
