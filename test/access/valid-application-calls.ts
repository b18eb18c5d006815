import type { Key } from '../../contract/endpoint.ts'
import { newId } from '../../server/platform/ids.ts'
import { newToken } from '../../server/platform/tokens.ts'
import type { CallOptions } from '../support/clients/client.ts'
import {
  makeApplication,
  makeDeployment,
  makeRelease,
  makeSavedLog,
} from '../support/factories/application-factories.ts'
import { unique } from '../support/factories/factories.ts'
import { madeCertificate } from '../support/factories/certificates.ts'
import type { World } from '../support/factories/world.ts'
import { sealedEntries } from '../../server/areas/applications/config.ts'

type Make = (world: World) => CallOptions | Promise<CallOptions>

const of =
  (body?: object): Make =>
  ({ application }) => ({ params: { id: application }, ...(body && { body }) })

const newApplication: Make = ({ server }) => ({
  body: {
    name: unique('shop'),
    source: { type: 'docker_image', image: 'rig/busybox:latest' },
    server_id: server,
  },
})

const ofSavedLog: Make = async ({ slipway, workspace, application }) => ({
  params: { id: application, log_id: await makeSavedLog(slipway.ctx, workspace, application) },
})

/** Calls on applications that succeed, when the caller has the right to them. */
export const validApplicationCalls: Record<Key, Make> = {
  'GET /v1/applications': () => ({}),
  'GET /v1/domains': () => ({}),
  'POST /v1/applications': newApplication,
  'POST /v1/applications/review': newApplication,
  'GET /v1/applications/{id}': of(),
  'PUT /v1/applications/{id}': of({ name: 'Another name' }),
  'DELETE /v1/applications/{id}': async ({ slipway, workspace, server }) => ({
    params: { id: await makeApplication(slipway.db, workspace, server) },
  }),
  'GET /v1/favicons/{key}': async ({ slipway, workspace, application }) => {
    const key = newToken('fav')
    const picture = { key, type: 'image/png', content: Buffer.from('PNG') }
    await slipway.db
      .insertInto('favicons')
      .values({
        workspace_id: workspace,
        application_id: application,
        release_id: '',
        check_at: new Date(),
        ...picture,
      })
      .onConflict((conflict) => conflict.column('application_id').doUpdateSet(picture))
      .execute()
    return { params: { key } }
  },
  'GET /v1/applications/{id}/containers': of(),
  'GET /v1/applications/{id}/networks': of(),
  'GET /v1/applications/{id}/services': of(),
  'GET /v1/applications/{id}/plan': of(),
  'GET /v1/applications/{id}/logs': of(),
  'GET /v1/applications/{id}/logs/search': ({ application }) => ({
    params: { id: application },
    query: { q: 'error' },
  }),
  'GET /v1/applications/{id}/logs/{log_id}': ofSavedLog,
  'GET /v1/applications/{id}/logs/{log_id}/download': ofSavedLog,
  'POST /v1/compose/check': ({ server }) => ({
    body: { compose: 'services: {web: {image: nginx}}', server_id: server },
  }),
  'GET /v1/applications/{id}/compose': async ({ slipway, workspace, server }) => {
    const id = await makeApplication(slipway.db, workspace, server)
    const compose_sealed = slipway.ctx.secrets.seal(`applications.compose_sealed:${id}`, 'services: {}')
    await slipway.db.updateTable('applications').set({ compose_sealed }).where('id', '=', id).execute()
    return { params: { id } }
  },
  'GET /v1/github/branches/{id}': of(),
  'GET /v1/applications/{id}/env': of(),
  'POST /v1/applications/{id}/env': ({ application }) => ({
    params: { id: application },
    body: { key: unique('KEY').replaceAll('-', '_'), value: 'a' },
  }),
  'PUT /v1/applications/{id}/env': of({ env: 'A=1\nB=2' }),
  'PUT /v1/applications/{id}/env/{env_id}': (world) => ofVariable(world, { key: 'CHANGED', value: 'b' }),
  'DELETE /v1/applications/{id}/env/{env_id}': (world) => ofVariable(world),
  'GET /v1/applications/{id}/labels': of(),
  'POST /v1/applications/{id}/labels': ({ application }) => ({
    params: { id: application },
    body: { key: unique('team'), value: 'a' },
  }),
  'PUT /v1/applications/{id}/labels': of({ labels: [{ key: 'team', value: 'web' }] }),
  'PUT /v1/applications/{id}/labels/{label_id}': (world) => ofLabel(world, { key: 'changed', value: 'b' }),
  'DELETE /v1/applications/{id}/labels/{label_id}': (world) => ofLabel(world),
  'GET /v1/applications/{id}/volumes': of(),
  'POST /v1/applications/{id}/volumes': ({ application }) => ({
    params: { id: application },
    body: { source: 'data', target: `/${unique('data')}` },
  }),
  'PUT /v1/applications/{id}/volumes': of({ volumes: 'data:/data' }),
  'PUT /v1/applications/{id}/volumes/{volume_id}': (world) =>
    ofVolume(world, { source: 'other', target: '/changed' }),
  'DELETE /v1/applications/{id}/volumes/{volume_id}': (world) => ofVolume(world),
  'GET /v1/applications/{id}/ports': of(),
  'POST /v1/applications/{id}/ports': ({ application }) => ({
    params: { id: application },
    body: { ports: [{ source: freePort(), target: 80 }] },
  }),
  'DELETE /v1/applications/{id}/ports/{port_id}': async ({ slipway, workspace, application }) => {
    const id = newId('publishedPort')
    await slipway.db
      .insertInto('published_ports')
      .values({ id, workspace_id: workspace, application_id: application, source: freePort(), target: 80 })
      .execute()
    return { params: { id: application, port_id: id } }
  },
  'GET /v1/applications/{id}/domains': of(),
  'POST /v1/applications/{id}/domains': ({ application }) => ({
    params: { id: application },
    body: { host: `${unique('www')}.example.com`, https: false },
  }),
  'PUT /v1/applications/{id}/domains/{domain_id}': async (world) => {
    const { params } = await ofDomain(world)
    return { params, body: { host: `${unique('www')}.example.com`, https: false } }
  },
  'GET /v1/applications/{id}/domains/{domain_id}/dns': (world) => ofDomain(world),
  'DELETE /v1/applications/{id}/domains/{domain_id}': (world) => ofDomain(world),
  'POST /v1/applications/{id}/domains/{domain_id}/verify': (world) => ofDomain(world),
  'PUT /v1/applications/{id}/domains/{domain_id}/certificate': async (world) => {
    const { params, host } = await ofDomain(world)
    return { params, body: await madeCertificate(host) }
  },
  'DELETE /v1/applications/{id}/domains/{domain_id}/certificate': async (world) => {
    const { params, host } = await ofDomain(world)
    await world.slipway.db
      .insertInto('certificates')
      .values({
        id: newId('certificate'),
        workspace_id: world.workspace,
        host,
        kind: 'uploaded',
        status: 'issued',
      })
      .execute()
    return { params }
  },
  'POST /v1/applications/{id}/domains/{domain_id}/certificate': (world) => ofDomain(world),
  'POST /v1/applications/{id}/deploy': of({}),
  'POST /v1/applications/{id}/rollback': async (world) => {
    const { id } = await deployed(world)
    return { params: { id }, body: {} }
  },
  'POST /v1/applications/{id}/restart': async (world) => ({ params: await deployed(world) }),
  'POST /v1/applications/{id}/stop': async (world) => ({ params: await deployed(world) }),
  'POST /v1/applications/{id}/start': async (world) => ({ params: await deployed(world) }),
  'GET /v1/applications/{id}/releases': of(),
  'GET /v1/applications/{id}/changes': of(),
  'GET /v1/applications/{id}/configuration/reset': async (world) => ({ params: await deployed(world) }),
  'POST /v1/applications/{id}/configuration/reset': async (world) => ({
    params: await deployed(world),
    body: {},
  }),
  'GET /v1/metrics/applications/{id}': of(),
  'GET /v1/deployments': ({ application }) => ({ query: { application_id: application } }),
  'GET /v1/deployments/{id}': (world) => ofDeployment(world),
  'GET /v1/deployments/{id}/logs': (world) => ofDeployment(world),
  'POST /v1/deployments/{id}/cancel': async (world) => {
    const { slipway, workspace, server } = world
    const application = await makeApplication(slipway.db, workspace, server)
    const id = await makeDeployment(slipway.db, workspace, { id: application, server }, { status: 'queued' })
    return { params: { id } }
  },
}

let used = 0
/** All worlds share one machine, so ports must differ. */
const freePort = () => 20_000 + ((process.pid * 61 + used++) % 12_000)

async function ofVariable({ slipway, workspace, application }: World, body?: object): Promise<CallOptions> {
  const id = newId('variable')
  await slipway.db
    .insertInto('variables')
    .values({
      id,
      workspace_id: workspace,
      application_id: application,
      position: 1,
      key: unique('KEY'),
      value_sealed: slipway.ctx.secrets.seal(`variables.value_sealed:${id}`, 'a'),
    })
    .execute()
  return { params: { id: application, env_id: id }, ...(body && { body }) }
}

async function ofLabel({ slipway, workspace, application }: World, body?: object): Promise<CallOptions> {
  const id = newId('label')
  const row = { workspace_id: workspace, application_id: application, position: 1 }
  await slipway.db
    .insertInto('labels')
    .values({
      id,
      ...row,
      key: unique('team'),
      value_sealed: sealedEntries('labels').sealValue(slipway.ctx, id, 'a'),
    })
    .execute()
  return { params: { id: application, label_id: id }, ...(body && { body }) }
}

async function ofVolume({ slipway, workspace, application }: World, body?: object): Promise<CallOptions> {
  const id = newId('volume')
  const row = { workspace_id: workspace, application_id: application, position: 1 }
  await slipway.db
    .insertInto('volumes')
    .values({ id, ...row, source: 'data', target: `/${unique('data')}` })
    .execute()
  return { params: { id: application, volume_id: id }, ...(body && { body }) }
}

async function ofDomain({ slipway, workspace, application }: World) {
  const id = newId('domain')
  const host = `${unique('www')}.example.com`
  await slipway.db
    .insertInto('domains')
    .values({ id, workspace_id: workspace, application_id: application, host, path: '/', https: true })
    .execute()
  return { params: { id: application, domain_id: id }, host }
}

async function ofDeployment({ slipway, workspace, application, server }: World): Promise<CallOptions> {
  return {
    params: { id: await makeDeployment(slipway.db, workspace, { id: application, server }) },
  }
}

/** Two releases were live; the second is live now. */
async function deployed({ slipway, workspace, server }: World) {
  const id = await makeApplication(slipway.db, workspace, server)
  for (const number of [1, 2]) await makeRelease(slipway.ctx, workspace, id, number)
  return { id }
}
