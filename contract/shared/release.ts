import { z } from 'zod'
import { id } from './ids.ts'
import { commit } from './repository-fields.ts'
import { time } from './text-fields.ts'

export const release = z.object({
  id: id('release'),
  number: z.int(),
  image: z.string().describe('Image name as configured.'),
  digest: z.string().nullable().describe('Digest in the registry; null for local images.'),
  image_id: z.string(),
  services: z
    .array(z.object({ name: z.string(), image: z.string(), digest: z.string().nullable() }))
    .nullable()
    .describe('Services of the compose file; null for other sources.'),
  commit: commit
    .nullable()
    .describe('Commit that the image was built from; null for applications without a repository.'),
  current: z.boolean().describe('Whether the release is live.'),
  deploying: z.boolean().describe('Whether the release is being deployed.'),
  image_available: z
    .boolean()
    .describe('Whether the image is still on the server, so that you can roll back to it.'),
  deployment_id: id('deployment').nullable(),
  actor: z
    .object({ name: z.string() })
    .nullable()
    .describe('Initiator of the first deployment of this release.'),
  created_at: time,
  live_at: time.nullable().describe('When the release last went live.'),
})
