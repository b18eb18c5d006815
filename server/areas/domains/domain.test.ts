import { afterAll, describe, expect, test } from 'vitest'
import * as contract from '../../../contract/domains.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { madeCertificate } from '../../../test/support/factories/certificates.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { eventsOf } from '../../../test/support/clients/events.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { makeApiToken, makeServer, makeTeam, unique } from '../../../test/support/factories/factories.ts'
import { newKeyPair } from '../../remote/ssh/key-pair.ts'
import { newId } from '../../platform/ids.ts'
import { jobs } from './area.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())

const keys = newKeyPair('test')
const machine = (hostKey: string) => ({ address: '192.0.2.7', port: 22, user: 'root', hostKey, keys })

/** Creates an application in its own workspace, on its own machine by default. */
async function makeStage(hostKey = unique('ssh-ed25519 key'), ports = {}) {
  const team = await makeTeam(slipway.db)
  const server = await makeServer(slipway.ctx, team.workspace, machine(hostKey), ports)
  const id = await makeApplication(slipway.db, team.workspace, server, { name: 'shop', slug: 'shop' })
  const { token } = team.member
  /** Names are claimed for the whole instance, so each stage has its own zone. */
  const zone = `${unique('zone')}.example.com`
  return {
    ...team,
    server,
    id,
    token,
    zone,
    add: (body: object, of = id) => slipway.ok(contract.createDomain, { token, params: { id: of }, body }),
    list: async () => (await slipway.ok(contract.listDomains, { token, params: { id } })).domains,
    generated: async () => (await slipway.ok(contract.listDomains, { token, params: { id } })).generated,
    at: (domain_id: string) => ({ token, params: { id, domain_id } }),
  }
}

const jobsOf = async (kind: string, workspace: string) => {
  const rows = await slipway.db.selectFrom('jobs').selectAll().where('kind', '=', kind).execute()
  return rows.filter(({ id, payload_sealed }) =>
    slipway.ctx.secrets.open(`jobs.payload:${id}`, payload_sealed).includes(workspace),
  ).length
}

const certificatesOf = async (workspace: Id<'workspace'>) =>
  (
    await slipway.db.selectFrom('certificates').select('host').where('workspace_id', '=', workspace).execute()
  ).map(({ host }) => host)

describe('a domain', () => {
  test('is added, updated and removed with proxy updates and audit events', async () => {
    const { add, list, at, workspace, zone } = await makeStage()
    const { domain } = await add({ host: ` App.${zone.toUpperCase()} `, path: '/api/', port: 8080 })
    expect(domain).toMatchObject({
      host: `app.${zone}`,
      path: '/api',
      port: 8080,
      https: true,
      generated: false,
      url: `http://app.${zone}/api`,
      certificate: { kind: 'acme', status: 'waiting', error: null, expires_at: null },
    })
    expect(await list()).toEqual([domain])
    expect(await jobsOf('order-certificate', workspace)).toBe(1)
    const sent = { ...at(domain.id), body: { host: `www.${zone}`, https: false } }
    const { domain: changed } = await slipway.ok(contract.updateDomain, sent)
    expect(changed).toMatchObject({
      id: domain.id,
      path: '/',
      port: null,
      url: `http://www.${zone}/`,
      certificate: null,
    })
    expect(await certificatesOf(workspace)).toEqual([])
    await slipway.ok(contract.deleteDomain, at(domain.id))
    expect(await list()).toEqual([])
    expect(await eventsOf(slipway.db, workspace)).toEqual([
      'application.domain_added',
      'application.domain_changed',
      'application.domain_removed',
    ])
    expect(await jobsOf('sync-proxy', workspace)).toBe(3)
    for (const endpoint of [contract.deleteDomain, contract.orderCertificate])
      await slipway.refused(endpoint, at(domain.id), 404, 'not_found')
  })

  test('shows the port in its URL if the proxy does not use the default port', async () => {
    const { add, list, at, zone } = await makeStage(undefined, { http_port: 8080, https_port: 8443 })
    const { domain } = await add({ host: zone })
    expect(domain.url).toBe(`http://${zone}:8080/`)
    await slipway.ok(contract.uploadCertificate, { ...at(domain.id), body: await madeCertificate(zone) })
    expect(await list()).toMatchObject([{ url: `https://${zone}:8443/` }])
  })

  test('can be the generated URL, which is offered while unused', async () => {
    const { add, at, generated } = await makeStage()
    const host = 'shop.192-0-2-7.sslip.io'
    expect(await generated()).toEqual({ host, https: false, service: '', port: null })
    const { domain } = await add({ host, https: false })
    expect(domain).toMatchObject({ host, generated: true })
    expect(await generated()).toBeNull()
    // Servers may share a name for their addresses, so the generated host may be taken.
    expect(await (await makeStage()).generated()).toBeNull()
    await slipway.ok(contract.deleteDomain, at(domain.id))
    expect(await generated()).toEqual({ host, https: false, service: '', port: null })
  })

  test('has a valid host name, path and container port', async () => {
    const { token, id, list } = await makeStage()
    const wrong = [
      { host: 'localhost' },
      { host: 'app.example.com; reload' },
      { host: 'app_1.example.com' },
      { host: '*.example.com' },
      { host: 'bücher.example.com' },
      { host: '203.0.113.7' },
      { host: 'app.example.com.' },
      { host: 'a\nb.example.com' },
      { host: `${'a'.repeat(64)}.example.com` },
      { host: `${'a.'.repeat(126)}com` },
      { host: 'a.example.com', path: 'api' },
      { host: 'a.example.com', path: '/a b' },
      { host: 'a.example.com', path: '/../etc' },
      { host: 'a.example.com', path: '/a"}' },
      { host: 'a.example.com', path: `/${'a'.repeat(200)}` },
      { host: 'a.example.com', port: 0 },
      { host: 'a.example.com', port: 65_536 },
    ]
    for (const body of wrong)
      await slipway.refused(contract.createDomain, { token, params: { id }, body }, 422)
    expect(await list()).toEqual([])
  })
})

test('lists the domains of all applications, with the certificate that expires next first', async () => {
  const { add, list, id, server, token, workspace, zone } = await makeStage()
  const other = await makeApplication(slipway.db, workspace, server, { name: 'blog', slug: 'blog' })
  for (const name of ['b', 'c', 'a']) await add({ host: `${name}.${zone}` }, name === 'c' ? other : id)
  await add({ host: `plain.${zone}`, https: false })
  for (const [name, days] of [
    ['b', 60],
    ['c', 5],
  ] as const)
    await slipway.db
      .updateTable('certificates')
      .set({ status: 'issued', expires_at: new Date(Date.now() + days * 86_400_000) })
      .where('workspace_id', '=', workspace)
      .where('host', '=', `${name}.${zone}`)
      .execute()
  const hostsOf = async (query: Record<string, string>) => {
    const { domains, page } = await slipway.ok(contract.listWorkspaceDomains, { token, query })
    return { next: page.next, listed: domains.map(({ host, application }) => [host, application.name]) }
  }
  const all = [
    [`c.${zone}`, 'blog'],
    [`b.${zone}`, 'shop'],
    [`a.${zone}`, 'shop'],
    [`plain.${zone}`, 'shop'],
  ]
  const first = await hostsOf({ limit: '3' })
  expect(first.listed).toEqual(all.slice(0, 3))
  expect((await hostsOf({ cursor: first.next ?? '' })).listed).toEqual(all.slice(3))
  expect((await hostsOf({ q: 'BLOG' })).listed).toEqual(all.slice(0, 1))
  expect(await list()).toHaveLength(3)
})

describe('a domain in use', () => {
  const refusal = async (stage: Awaited<ReturnType<typeof makeStage>>, body: object, id = stage.id) =>
    (await slipway.refused(contract.createDomain, { token: stage.token, params: { id }, body }, 422)).body

  test('is rejected for another application on the server', async () => {
    const { zone, ...one } = await makeStage()
    await one.add({ host: zone })
    expect(await refusal({ zone, ...one }, { host: zone })).toEqual({
      errors: { host: ['This domain is used by this application.'] },
    })
    const second = await makeApplication(slipway.db, one.workspace, one.server)
    expect(await refusal({ zone, ...one }, { host: zone.toUpperCase() }, second)).toEqual({
      errors: { host: ['This domain is used by application shop.'] },
    })
    await one.add({ host: zone, path: '/api' }, second)
    const [domain] = await one.list()
    const stays = { ...one.at(domain?.id ?? ''), body: { host: zone, https: false } }
    expect((await slipway.ok(contract.updateDomain, stays)).domain.https).toBe(false)
    // The certificate is still needed for the other path.
    expect(await certificatesOf(one.workspace)).toEqual([zone])
  })

  test('is available again once its application is being deleted', async () => {
    const { zone, ...one } = await makeStage()
    await one.add({ host: zone })
    const second = await makeApplication(slipway.db, one.workspace, one.server)
    await slipway.db
      .updateTable('applications')
      .set({ deleting_at: new Date() })
      .where('id', '=', one.id)
      .execute()
    await one.add({ host: zone }, second)
    await slipway.refused(
      contract.createDomain,
      { token: one.token, params: { id: one.id }, body: { host: `b.${zone}` } },
      404,
      'not_found',
    )
  })
})

describe('an uploaded certificate', () => {
  test('is sealed, never returned, and used until it is removed', async () => {
    const { add, at, list, workspace, zone } = await makeStage()
    const { domain } = await add({ host: zone })
    const body = await madeCertificate(zone)
    const got = await slipway.call(contract.uploadCertificate.key, { ...at(domain.id), body })
    expect(got.status).toBe(200)
    expect(got.text).not.toMatch(/BEGIN|PRIVATE/)
    expect(await list()).toMatchObject([
      {
        url: `https://${zone}/`,
        certificate: { kind: 'uploaded', status: 'issued', issuer: zone, next_try_at: null },
      },
    ])
    const row = await slipway.db
      .selectFrom('certificates')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .executeTakeFirstOrThrow()
    expect(row.key_sealed).not.toContain('PRIVATE')
    await slipway.refused(contract.orderCertificate, at(domain.id), 409, 'certificate_uploaded')
    const { domain: after } = await slipway.ok(contract.removeCertificate, at(domain.id))
    expect(after).toMatchObject({
      url: `http://${zone}/`,
      certificate: { kind: 'acme', status: 'waiting', issuer: null, expires_at: null },
    })
    await slipway.refused(contract.removeCertificate, at(domain.id), 409, 'not_uploaded')
    expect(await eventsOf(slipway.db, workspace)).toEqual([
      'application.domain_added',
      'certificate.uploaded',
      'certificate.removed',
    ])
  })

  test('that is invalid changes nothing', async () => {
    const { add, at, list, zone } = await makeStage()
    const { domain } = await add({ host: zone })
    const [one, other] = [await madeCertificate(zone), await madeCertificate(zone)]
    const sent = { ...at(domain.id), body: { ...one, key: other.key } }
    const { body, text } = await slipway.refused(contract.uploadCertificate, sent, 422)
    expect(body).toEqual({ errors: { key: ['This key does not belong to the certificate.'] } })
    expect(text).not.toContain('PRIVATE')
    expect(await list()).toEqual([domain])
    const plain = (await add({ host: `plain.${zone}`, https: false })).domain
    await slipway.refused(contract.uploadCertificate, { ...at(plain.id), body: one }, 409, 'https_off')
  })
})

test('rejects a domain of an application beyond the limit of an API token', async () => {
  const { zone, ...stage } = await makeStage()
  const other = await makeApplication(slipway.db, stage.workspace, stage.server)
  await stage.add({ host: `bank.${zone}` }, other)
  const { domain: shared } = await stage.add({ host: `bank.${zone}`, path: '/news' })
  const { domain: own } = await stage.add({ host: `shop.${zone}` })
  const project = newId('project')
  const values = { id: project, workspace_id: stage.workspace, name: 'Shops' }
  await slipway.db.insertInto('projects').values(values).execute()
  await slipway.db
    .updateTable('applications')
    .set({ project_id: project })
    .where('id', '=', stage.id)
    .execute()
  const pair = await madeCertificate(`bank.${zone}`)
  for (const limit of [{ applications: [stage.id] }, { projects: [project] }]) {
    const { token } = await makeApiToken(slipway.db, stage.workspace, stage.owner, {
      role: 'owner',
      ...limit,
    })
    const refuse = (endpoint: Endpoint, domain_id: string, body: object) =>
      slipway.refused(endpoint, { token, params: { id: stage.id, domain_id }, body }, 403, 'token_limited')
    const body = { host: `bank.${zone}`, path: '/login' }
    await refuse(contract.createDomain, '', body)
    for (const { id } of [own, shared]) await refuse(contract.updateDomain, id, body)
    await refuse(contract.uploadCertificate, shared.id, pair)
    await refuse(contract.removeCertificate, shared.id, {})
    const mine = { token, params: { id: stage.id, domain_id: own.id } }
    await slipway.ok(contract.updateDomain, { ...mine, body: { host: `shop.${zone}`, path: '/a' } })
    await slipway.ok(contract.uploadCertificate, { ...mine, body: await madeCertificate(`shop.${zone}`) })
  }
})

test('removes unused certificates and resumes lost orders', async () => {
  const { add, workspace, zone } = await makeStage()
  await add({ host: zone })
  const gone = await makeStage()
  await gone.add({ host: gone.zone })
  await slipway.db.deleteFrom('applications').where('id', '=', gone.id).execute()
  await slipway.db.deleteFrom('jobs').where('kind', '=', 'order-certificate').execute()
  const tidy = jobs.find(({ kind }) => kind === 'tidy-certificates')
  const signal = new AbortController().signal
  const run = { id: 'job_1', attempt: 1, fence: 1, signal, assertLease: async () => {} } as const
  await tidy?.handle(slipway.ctx, {}, run)
  await tidy?.handle(slipway.ctx, {}, run)
  expect(await certificatesOf(gone.workspace)).toEqual([])
  expect(await certificatesOf(workspace)).toEqual([zone])
  expect(await jobsOf('order-certificate', workspace)).toBe(1)
  expect(await jobsOf('order-certificate', gone.workspace)).toBe(0)
})
