import { posix } from 'node:path'
import { isInApplicationFolder } from './bind-mount-access.ts'
import { toText } from '../read/untyped.ts'
import type { Service } from '../model.ts'
import { isRemoteContext } from './remote-context.ts'

/** What a build may do with the server beside making an image, as sentences. */
export function buildAccess(name: string, { build }: Service, folder: string): string[] {
  if (!build) return []
  const context = toText(build['context']) ?? '.'
  const dockerfile = toText(build['dockerfile'])
  const network = toText(build['network'])
  const contexts = [
    context,
    ...Object.values(build['additional_contexts'] ?? {}).flatMap((one) => toText(one) ?? []),
  ]
  const paths = [
    ...contexts.filter(isPath),
    ...(dockerfile === undefined ? [] : pathsOfFile(folder, context, dockerfile)),
  ]
  return [
    ...(build['privileged'] === true ? [`The build of ${name} is privileged.`] : []),
    ...(network === undefined || ['', 'default', 'none'].includes(network)
      ? []
      : [`The build of ${name} uses the network ${network} of the server.`]),
    ...wordsOf(build['entitlements']).map((one) => `The build of ${name} has the entitlement ${one}.`),
    ...wordsOf(build['ssh']).map((one) => `The build of ${name} uses SSH keys of the server: ${one}.`),
    ...[...wordsOf(build['cache_from']), ...wordsOf(build['cache_to'])]
      .filter((line) => /\btype=local\b/.test(line))
      .map((line) => `The build of ${name} writes a cache to a folder of the server: ${line}.`),
    ...paths
      .filter((path) => !isInside(posix.resolve(folder, path), folder))
      .map((path) => `The build of ${name} reads ${path} on the server.`),
  ]
}

/** Of a list, or of a map. */
const wordsOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.map(String)
  return value instanceof Object ? Object.entries(value).map(([key, one]) => `${key}=${one}`) : []
}

/** One that leads upwards could be a folder all the same. */
const isPath = (context: string) => !isRemoteContext(context) || leadsUp(context)

const leadsUp = (path: string) => path.split('/').includes('..')

/** Of a repository it is one of its files, unless it is written so that it is taken from the server. */
function pathsOfFile(folder: string, context: string, dockerfile: string): string[] {
  if (isPath(context)) return [posix.resolve(folder, context, dockerfile)]
  return dockerfile.startsWith('/') || leadsUp(dockerfile) ? [posix.resolve(folder, dockerfile)] : []
}

/** A build may read all of the application's folder, and no folder deeper down by a path that a container could bend. */
const isInside = (path: string, folder: string) => path === folder || isInApplicationFolder(path, folder)
