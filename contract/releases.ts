import { z } from 'zod'
import { applicationParams } from './applications.ts'
import { endpoint } from './endpoint.ts'
import { id, idInput } from './shared/ids.ts'
import { release } from './shared/release.ts'
import { pagedList, pageQuery } from './shared/replies.ts'
import { text } from './shared/text-fields.ts'

/** A difference between two configurations. Values of environment variables are never included. */
export const change = z.object({
  field: z.string().describe('Changed field, such as `image`, `env.DATABASE_URL` or `volumes./data`.'),
  kind: z.enum(['added', 'removed', 'changed']),
  from: z.string().nullable(),
  to: z.string().nullable(),
})

export const listReleases = endpoint('GET /v1/applications/{id}/releases', {
  access: 'applications.read',
  resource: 'application',
  summary: 'List the releases of an application, newest first',
  params: applicationParams,
  query: z.strictObject(pageQuery),
  reply: pagedList('releases', release),
})

export const listChanges = endpoint('GET /v1/applications/{id}/changes', {
  access: 'applications.read',
  resource: 'application',
  summary: 'Compare two releases, or the configuration with a release',
  description: 'By default, compares the current configuration with the live release.',
  params: applicationParams,
  query: z.strictObject({
    release_id: idInput('release')
      .optional()
      .describe('Release to compare with; defaults to the live release.'),
    to_release_id: idInput('release')
      .optional()
      .describe('Release to compare; defaults to the current configuration.'),
  }),
  reply: z.object({ changes: z.array(change) }),
})

const reset = z.object({
  release: z.object({ id: id('release'), number: z.int() }).describe('The live release.'),
  changes: z.array(change).describe('Changes that the reset makes to the current configuration.'),
  remaining: z
    .array(change)
    .describe('Differences from the live release that a reset keeps because they belong to the project.'),
})

export const previewReset = endpoint('GET /v1/applications/{id}/configuration/reset', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Preview resetting the configuration to the live release',
  params: applicationParams,
  reply: reset.extend({ revision: z.string() }),
})

export const resetConfiguration = endpoint('POST /v1/applications/{id}/configuration/reset', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Reset the configuration to the live release',
  description:
    'Restores the source, settings, environment, labels and volumes of the live release and deploys nothing. Domains, published ports and project variables are kept.',
  params: applicationParams,
  body: z.strictObject({
    revision: text(100)
      .optional()
      .describe(
        'Revision of the preview. The reset fails with `changed_since` if the configuration or the live release has changed since then.',
      ),
  }),
  reply: reset,
})
