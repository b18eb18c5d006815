import type { Key } from '../../contract/endpoint.ts'
import { sealFiles } from '../../server/areas/templates/template.ts'
import { newId } from '../../server/platform/ids.ts'
import type { CallOptions } from '../support/clients/client.ts'
import { unique } from '../support/factories/factories.ts'
import type { World } from '../support/factories/world.ts'

type Make = (world: World) => CallOptions | Promise<CallOptions>

const files = {
  template:
    'name: Wharf\ndescription: A template.\ncategory: other\ninputs:\n  - { name: MARK, default: x }\n',
  compose: 'services:\n  web:\n    image: rig/busybox\n    environment: { MARK: "${MARK}" }\n',
}

/** Calls on templates that succeed, when the caller has the right to them. */
export const validTemplateCalls: Record<Key, Make> = {
  'GET /v1/templates': () => ({ query: { q: 'a', category: 'cms' } }),
  'POST /v1/templates': () => ({ body: files }),
  'POST /v1/templates/check': () => ({ body: files }),
  'GET /v1/templates/{id}': (world) => ofTemplate(world),
  'PUT /v1/templates/{id}': async (world) => ({ ...(await ofTemplate(world)), body: files }),
  'DELETE /v1/templates/{id}': (world) => ofTemplate(world),
  'POST /v1/templates/{id}/review': (world) => deploying(world),
  'POST /v1/templates/{id}/deploy': (world) => deploying(world),
  'GET /v1/applications/{id}/notes': ({ application }) => ({ params: { id: application } }),
  'DELETE /v1/applications/{id}/notes': ({ application }) => ({ params: { id: application } }),
  'GET /v1/applications/{id}/template': ({ application }) => ({ params: { id: application } }),
}

async function ofTemplate({ slipway: { ctx, db }, workspace }: World): Promise<CallOptions> {
  const id = newId('template')
  const listed = JSON.stringify({ logo: null, links: [], memory_bytes: null, services: ['web'] })
  const fields = { name: unique('Wharf'), description: 'A template.', category: 'other' as const, listed }
  await db
    .insertInto('templates')
    .values({ id, workspace_id: workspace, ...fields, ...sealFiles(ctx, id, files) })
    .execute()
  return { params: { id } }
}

const deploying = async (world: World): Promise<CallOptions> => ({
  ...(await ofTemplate(world)),
  body: {
    server_id: world.server,
    name: unique('Wharf'),
    inputs: { MARK: 'y' },
    project_id: world.project,
  },
})
