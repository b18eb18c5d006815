import type { Key } from '../../contract/endpoint.ts'
import { passwordSealContext } from '../../server/areas/registries/registry-credentials.ts'
import { newId } from '../../server/platform/ids.ts'
import type { CallOptions } from '../support/clients/client.ts'
import { unique } from '../support/factories/factories.ts'
import type { World } from '../support/factories/world.ts'

type Make = (world: World) => CallOptions | Promise<CallOptions>

const password = 'of nobody in particular'

/** Calls on image registries that succeed, when the caller has the right to them. */
export const validRegistryCalls: Record<Key, Make> = {
  'GET /v1/registries': () => ({}),
  'POST /v1/registries': () => ({
    body: {
      name: 'Ours',
      kind: 'other',
      host: 'registry.example',
      scope: unique('acme'),
      username: 'ada',
      password,
      unchecked: true,
    },
  }),
  'PUT /v1/registries/{id}': (world) => ofRegistry(world, { name: 'Theirs' }),
  'POST /v1/registries/{id}/test': (world) => ofRegistry(world),
  'DELETE /v1/registries/{id}': (world) => ofRegistry(world),
  'GET /v1/docker/search': () => ({ query: { q: 'nothing at all' } }),
  'GET /v1/docker/search/tags': () => ({ query: { repo_name: 'nginx' } }),
}

/** Docker Hub refuses these credentials. */
async function ofRegistry({ slipway: { ctx, db }, workspace }: World, body?: object): Promise<CallOptions> {
  const id = newId('registry')
  const row = { id, workspace_id: workspace, name: 'Ours', kind: 'docker_hub', host: 'docker.io' } as const
  const password_sealed = ctx.secrets.seal(passwordSealContext(id), password)
  await db
    .insertInto('registries')
    .values({ ...row, scope: unique('acme'), username: 'ada', password_sealed })
    .execute()
  return { params: { id }, ...(body && { body }) }
}
