import { posix } from 'node:path'
import { isInApplicationFolder } from './host-paths.ts'
import { isMap, toText } from '../read/untyped.ts'
import type { Service } from '../model.ts'

export function buildAccess(name: string, { build }: Service, folder: string): string[] {
  if (!build) return []
  const context = toText(build['context']) ?? '.'
  const dockerfile = toText(build['dockerfile'])
  const network = toText(build['network'])
  const contexts = [
    context,
    ...Object.values(build['additional_contexts'] ?? {}).flatMap((context) => toText(context) ?? []),
  ]
  const paths = [
    ...contexts.filter(isPath),
    ...(dockerfile === undefined ? [] : pathsOfFile(folder, context, dockerfile)),
  ]
  return [
    ...(build['privileged'] === true ? [`The build of ${name} is privileged.`] : []),
    ...(network === undefined || ['', 'default', 'none'].includes(network)
      ? []
      : [`The build of ${name} uses the server’s ${network} network.`]),
    ...toTexts(build['entitlements']).map(
      (entitlement) => `The build of ${name} has the entitlement ${entitlement}.`,
    ),
    ...toTexts(build['ssh']).map((key) => `The build of ${name} uses SSH keys from the server: ${key}.`),
    ...[...toTexts(build['cache_from']), ...toTexts(build['cache_to'])]
      .filter((line) => /\btype=local\b/.test(line))
      .map((line) => `The build of ${name} uses a cache folder on the server: ${line}.`),
    ...paths
      .filter((path) => !isInside(posix.resolve(folder, path), folder))
      .map((path) => `The build of ${name} reads ${path} on the server.`),
  ]
}

const toTexts = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.map(formatOption)
  return isMap(value) ? Object.entries(value).map(([key, one]) => `${key}=${formatOption(one)}`) : []
}

const formatOption = (value: unknown) => toText(value) ?? JSON.stringify(value)

/** A context with `..` may lead to a folder even if it looks remote. */
const isPath = (context: string) => !isRemoteContext(context) || leadsUp(context)

const leadsUp = (path: string) => path.split('/').includes('..')

/** A Dockerfile belongs to the repository, unless its path points to the server. */
function pathsOfFile(folder: string, context: string, dockerfile: string): string[] {
  if (isPath(context)) return [posix.resolve(folder, context, dockerfile)]
  return dockerfile.startsWith('/') || leadsUp(dockerfile) ? [posix.resolve(folder, dockerfile)] : []
}

/** A build may read the whole application folder, but no deeper path that a container could replace by a symlink. */
const isInside = (path: string, folder: string) => path === folder || isInApplicationFolder(path, folder)

const remote = /^((https?|git|ssh|docker-image):\/\/|git@|github\.com\/|service:|target:)/i

export const isRemoteContext = (context: string) => remote.test(context)
