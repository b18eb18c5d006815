import { posix } from 'node:path'
import type { Model } from '../model.ts'

interface HostPath {
  /** Subject of the sentence. */
  who: string
  path: string
  readOnly: boolean
}

/** Lists all host paths except build contexts. */
export const hostPathsIn = ({ services, volumes, secrets, configs }: Model): HostPath[] => [
  ...Object.entries(services).flatMap(([name, service]) =>
    (service.volumes ?? []).flatMap(({ type, source, read_only = false }) =>
      type === 'bind' && source !== undefined ? [bound(name, source, read_only)] : [],
    ),
  ),
  ...Object.entries(volumes).flatMap(([key, { driver_opts }]) =>
    driver_opts?.['device']?.startsWith('/') ? [bound(`Volume ${key}`, driver_opts['device'], false)] : [],
  ),
  ...[...Object.entries(secrets), ...Object.entries(configs)].flatMap(([key, { file }]) =>
    file === undefined ? [] : [bound(`Secret or config ${key}`, file, true)],
  ),
]

const bound = (who: string, path: string, readOnly: boolean): HostPath => ({
  who,
  path: posix.resolve('/', path),
  readOnly,
})
