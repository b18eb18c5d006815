import type { Key } from '../../contract/endpoint.ts'
import { newId } from '../../server/platform/ids.ts'
import type { CallOptions } from '../support/clients/client.ts'
import { unique } from '../support/factories/factories.ts'
import type { World } from '../support/factories/world.ts'
import { sealedEntries } from '../../server/areas/applications/config.ts'

type Make = (world: World) => CallOptions | Promise<CallOptions>

const ofProject: Make = ({ project }) => ({ params: { id: project } })
const ofMembers: Make = ({ project, application, server }) => ({
  params: { id: project },
  body: { applications: [application], servers: [server] },
})

/** Calls on projects that succeed, when the caller has the right to them. */
export const validProjectCalls: Record<Key, Make> = {
  'GET /v1/projects': () => ({}),
  'POST /v1/projects': () => ({ body: { name: 'Harbour', description: 'All that floats.' } }),
  'GET /v1/projects/{id}': ofProject,
  'GET /v1/projects/{id}/map': ofProject,
  'PUT /v1/projects/{id}': ({ project }) => ({ params: { id: project }, body: { name: 'Docks' } }),
  'DELETE /v1/projects/{id}': ofProject,
  'POST /v1/projects/{id}/attach': ofMembers,
  'POST /v1/projects/{id}/detach': ofMembers,
  'GET /v1/projects/{id}/env': ofProject,
  'POST /v1/projects/{id}/env': ({ project }) => ({
    params: { id: project },
    body: { key: unique('KEY'), value: 'a' },
  }),
  'PUT /v1/projects/{id}/env': ({ project }) => ({
    params: { id: project },
    body: { env: [{ key: 'MODE', value: 'production' }] },
  }),
  'PUT /v1/projects/{id}/env/{env_id}': async (world) => ({
    params: { id: world.project, env_id: await makeVariable(world) },
    body: { key: unique('KEY'), value: 'b' },
  }),
  'DELETE /v1/projects/{id}/env/{env_id}': async (world) => ({
    params: { id: world.project, env_id: await makeVariable(world) },
  }),
}

async function makeVariable({ slipway: { ctx, db }, workspace, project }: World) {
  const id = newId('projectVariable')
  const sealed = sealedEntries('project_variables').seal(ctx, id, { key: unique('KEY'), value: 'a' })
  await db
    .insertInto('project_variables')
    .values({ id, workspace_id: workspace, project_id: project, position: 0, ...sealed })
    .execute()
  return id
}
