import type { Api } from '../../../../contract/api.ts'
import type { Input } from '../../../../contract/endpoint.ts'
import { readPairs, splitNonBlankLines } from '../../../../contract/shared/entries.ts'
import {
  imageNamePattern,
  maxImageNameLength,
  notAnImageName,
} from '../../../../contract/shared/image-name.ts'
import { findVariableFault } from '../../../lib/form/read-variables.ts'
import { ApiError } from '../../../lib/http/api-error.ts'
import { readHealth } from '../settings/health-fields.tsx'
import { isComposeDraft, isRepositoryDraft, type NewApplicationDraft } from './new-draft.ts'
import { readRepository } from '../settings/repository-fields.ts'
import { readResources } from '../settings/resource-fields.tsx'
import { readRuntime } from '../settings/runtime-fields.tsx'
import { readTiming } from '../settings/timing-fields.tsx'
import { readRoute } from '../../../lib/service-route.ts'

export type NewApplication = Input<Api['POST /v1/applications']>['body']

/** Throws an ApiError for invalid numbers and unclosed quotes. */
export const toRequestBody = (draft: NewApplicationDraft): NewApplication =>
  isComposeDraft(draft) ? bodyOfCompose(draft) : bodyOfImage(draft)

export function toSource(draft: NewApplicationDraft): NewApplication['source'] {
  if (isRepositoryDraft(draft)) return readRepository(draft)
  return isComposeDraft(draft)
    ? { type: 'compose', compose: draft['source.compose'], profiles: [...draft['source.profiles']] }
    : { type: 'docker_image', image: draft['source.image'].trim() }
}

export const toPlacement = ({ server_id, project_id }: NewApplicationDraft) => ({
  server_id,
  ...(project_id !== '' && { project_id }),
})

/** The compose file defines ports, volumes, resources and commands, so the body leaves them out. */
const bodyOfCompose = (draft: NewApplicationDraft): NewApplication => ({
  name: draft.name.trim(),
  source: toSource(draft),
  ...toPlacement(draft),
  env: draft.env,
  domains: draft.routes.map(readServiceDomain),
  generated_address: draft.generated_address,
  ...readTiming(draft, { type: 'auto', path: '/' }),
  auto_rollback: draft.auto_rollback,
})

const bodyOfImage = (draft: NewApplicationDraft): NewApplication => ({
  name: draft.name.trim(),
  source: toSource(draft),
  ...toPlacement(draft),
  env: draft.env,
  labels: readPairs(draft.labels.join('\n')),
  volumes: draft.volumes,
  ports: draft.ports,
  domains: readDomains(draft.domains),
  generated_address: draft.generated_address,
  ...readHealth(draft),
  ...readResources(draft),
  ...readRuntime(draft, null),
  stop_first: draft.stop_first,
  auto_rollback: draft.auto_rollback,
})

export function validateDraft(draft: NewApplicationDraft): Record<string, string> {
  return {
    ...sourceFaults(draft),
    ...(draft.server_id === '' ? { server_id: 'Choose a server.' } : {}),
    ...(draft.name.trim() === '' ? { name: 'Fill in this field.' } : {}),
    ...(isComposeDraft(draft) ? routeFaults(draft) : labelFaults(draft)),
    ...numberFaults(draft),
    ...variableFaults(draft),
  }
}

function variableFaults({ env }: NewApplicationDraft): Record<string, string> {
  const fault = findVariableFault(env)
  return fault === undefined ? {} : { env: fault }
}

function sourceFaults(draft: NewApplicationDraft): Record<string, string> {
  if (isComposeDraft(draft))
    return draft['source.compose'].trim() === ''
      ? { 'source.compose': 'Paste or upload a compose file, or start from an example.' }
      : {}
  if (isRepositoryDraft(draft)) return repositoryFaults(draft)
  const image = imageFault(draft['source.image'])
  return image === undefined ? {} : { 'source.image': image }
}

const repositoryFaults = (draft: NewApplicationDraft): Record<string, string> => ({
  ...(draft['source.repository'] === '' && {
    'source.repository': 'Choose a repository.',
  }),
  ...(draft['source.branch'].trim() === '' && { 'source.branch': 'Choose a branch.' }),
})

const routeFaults = ({ routes }: NewApplicationDraft): Record<string, string> =>
  Object.fromEntries(
    routes.flatMap((route, index) =>
      readServiceDomain(route).host === ''
        ? [[`domains.${index}.host`, 'Enter a domain or remove the row.']]
        : [],
    ),
  )

/** Applies the rules of the server, which trims the name as well. */
function imageFault(typed: string): string | undefined {
  const image = typed.trim()
  if (image === '') return 'Enter an image name or choose an image from a server.'
  if (image.length > maxImageNameLength) return `Must have at most ${maxImageNameLength} characters.`
  return imageNamePattern.test(image) ? undefined : notAnImageName
}

/** The parser silently drops labels without a key, so the form must reject them. */
export const isKeyless = (label: string) => label.trim().startsWith('=')

function labelFaults({ labels }: NewApplicationDraft): Record<string, string> {
  const keyless = labels.find(isKeyless)
  return keyless === undefined ? {} : { labels: `“${keyless}”: Enter a key before the equals sign.` }
}

function numberFaults(draft: NewApplicationDraft): Record<string, string> {
  try {
    toRequestBody(draft)
    return {}
  } catch (error) {
    if (error instanceof ApiError) return error.fields
    throw error
  }
}

/** Reads one domain per line, such as `app.example.com` or `app.example.com/api`. The prefix `http://` disables HTTPS. */
export const readDomains = (text: string) => splitNonBlankLines(text).map(readDomain)

export function readServiceDomain(route: string) {
  const { service, port, address } = readRoute(route)
  return { ...readDomain(address), service, port: port === '' ? null : Number(port) }
}

function readDomain(typed: string) {
  const line = typed.trim()
  const rest = line.replace(/^https?:\/\//i, '')
  const slash = rest.indexOf('/')
  const host = slash < 0 ? rest : rest.slice(0, slash)
  return { host, path: slash < 0 ? '/' : rest.slice(slash), https: !/^http:\/\//i.test(line) }
}
