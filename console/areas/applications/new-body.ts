import type { Api } from '../../../contract/api.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { readPairs } from '../../../contract/entries.ts'
import { imageNamePattern, notAnImageName } from '../../../contract/image-name.ts'
import { Failure } from '../../lib/failure.ts'
import { readHealth } from './health-fields.tsx'
import type { Draft } from './new-draft.ts'
import { readDomains } from './read-domains.ts'
import { readResources } from './resource-fields.tsx'
import { readRuntime } from './runtime-fields.tsx'

export type NewApplication = Input<Api['POST /v1/applications']>['body']

/** What is sent. Throws where a number is none. */
export const bodyOf = (draft: Draft): NewApplication => ({
  name: draft.name.trim(),
  source: { type: 'docker_image', image: draft['source.image'].trim() },
  server_id: draft.server_id,
  env: draft.env,
  labels: readPairs(draft.labels.join('\n')),
  volumes: draft.volumes,
  ports: draft.ports,
  domains: readDomains(draft.domains),
  generated_address: draft.generated_address,
  ...readHealth(draft),
  ...readResources(draft),
  ...readRuntime(draft, null),
  auto_rollback: draft.auto_rollback,
})

/** What can be told without asking the server: what is missing, and what is no number. */
export function faultsOf(draft: Draft): Record<string, string> {
  const image = draft['source.image'].trim()
  return {
    ...(image === '' ? { 'source.image': 'Name an image, or take one that is on a server.' } : {}),
    ...(image === '' || imageNamePattern.test(image) ? {} : { 'source.image': notAnImageName }),
    ...(draft.server_id === '' ? { server_id: 'Choose the server that it runs on.' } : {}),
    ...(draft.name.trim() === '' ? { name: 'Fill in this field.' } : {}),
    ...numberFaults(draft),
  }
}

function numberFaults(draft: Draft): Record<string, string> {
  try {
    bodyOf(draft)
    return {}
  } catch (error) {
    if (error instanceof Failure) return error.fields
    throw error
  }
}
