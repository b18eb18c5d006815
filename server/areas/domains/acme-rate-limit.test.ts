import { afterAll, beforeEach, expect, test } from 'vitest'
import { getApplication } from '../../../contract/applications.ts'
import * as contract from '../../../contract/domains.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { eventsOf } from '../../../test/support/clients/events.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import type { CertificateChanges } from './store.ts'
import { OrderRejected } from './order-errors.ts'
import { orderCertificate } from './order-certificate.ts'
import { findRateLimitWait, savePause } from './acme-rate-limit.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway
const team = await makeTeam(db)
const { workspace } = team
const server = await makeServer(ctx, workspace, nowhere())
const { token } = team.member
let id: Id<'application'>
let domain: { id: Id<'domain'>; host: string }

beforeEach(async () => {
  id = await makeApplication(db, workspace, server)
  await db.deleteFrom('acme_pauses').execute()
  await db.deleteFrom('acme_orders').execute()
  const host = `${id.replace('_', '-')}.shop.example.com`
  ;({ domain } = await slipway.ok(contract.createDomain, { token, params: { id }, body: { host } }))
})

const at = () => ({ token, params: { id, domain_id: domain.id } })
const refusedAgain = async (code: string) =>
  (await slipway.refused(contract.orderCertificate, at(), 409, code)).text
const shown = async () => {
  const { domains } = await slipway.ok(contract.listDomains, { token, params: { id } })
  return domains[0]
}
const change = (changes: CertificateChanges) =>
  db
    .updateTable('certificates')
    .set(changes)
    .where('host', '=', domain.host)
    .returning('id')
    .executeTakeFirstOrThrow()
const issued = { status: 'issued', chain: 'a chain', key_sealed: 'a key' } as const
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
const pause = (words: string, retryAfter = 7_200) =>
  savePause(ctx, db, domain.host, new OrderRejected(words, { retryAfter }))
const waitOf = (host: string, chain: string | null = null) =>
  findRateLimitWait(ctx, db, { workspace_id: workspace, host, chain })

test('rejects orders for valid certificates and accepts them after a failed renewal', async () => {
  await change({ ...issued, expires_at: inHours(2_000), next_try_at: inHours(1_000) })
  expect(await refusedAgain('certificate_issued')).toMatch(`${domain.host} has a valid certificate`)
  await change({ failures: 1 })
  await slipway.ok(contract.orderCertificate, at())
})

test.each([
  'Too many certificates already issued for shop.example.com: see the rules.',
  'Too many new orders recently.',
])('pauses only the rejected order, even when the name is added again: %s', async (words) => {
  await pause(words)
  await pause(words, 60)
  expect(await refusedAgain('certificate_postponed')).toMatch(
    /The certificate authority does not accept orders for app-\S+ until \d{4}-\d\d-\d\d \d\d:\d\d UTC\./,
  )
  expect(await waitOf('other.example.org')).toBeUndefined()
  await slipway.ok(contract.deleteDomain, at())
  expect((await waitOf(domain.host))?.until.getTime()).toBeGreaterThan(Date.now() + 7_000_000)
})

test('does not count a rate-limit pause as a failure', async () => {
  await pause('Too many new orders recently.')
  const until = (await waitOf(domain.host))?.until
  const { id: certificate } = await change({ failures: 1, status: 'failed' })
  const signal = new AbortController().signal
  const run = { id: 'job_1', attempt: 1, fence: 1, signal, assertLease: async () => {} } as const
  await orderCertificate(ctx, workspace, certificate, run)
  expect((await shown())?.certificate).toMatchObject({
    status: 'waiting',
    error: expect.stringContaining(`does not accept orders for ${domain.host} until`),
    next_try_at: until?.toISOString(),
  })
  expect(await eventsOf(db, workspace)).not.toContain('certificate.failed')
})

test('limits hourly orders per workspace, without affecting renewals and other workspaces', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const rows = Array.from({ length: 20 }, (_, nth) => ({
    workspace_id: workspace,
    host: `${nth}.example.com`,
    created_at: ago(30 + nth),
  }))
  await db.insertInto('acme_orders').values(rows.slice(1)).execute()
  await slipway.ok(contract.orderCertificate, at())
  await db.insertInto('acme_orders').values(rows.slice(0, 1)).execute()
  expect(await refusedAgain('certificate_postponed')).toMatch(
    'This workspace has reached the limit of 20 certificates per hour',
  )
  // The hour of the first order ends first.
  const first = Math.min(...rows.map(({ created_at }) => created_at.getTime()))
  expect((await waitOf('a.example.org'))?.until).toEqual(new Date(first + 3_600_000))
  expect(await waitOf('a.example.org', 'a chain')).toBeUndefined()
  const other = await makeTeam(db)
  const theirs = { workspace_id: other.workspace, host: 'a.example.org', chain: null }
  expect(await findRateLimitWait(ctx, db, theirs)).toBeUndefined()
})

test('limits daily orders per workspace, failed ones included', async () => {
  const rows = Array.from({ length: 60 }, (_, nth) => ({
    workspace_id: workspace,
    host: `${nth}.example.com`,
    created_at: inHours(-2 - nth / 10),
  }))
  await db.insertInto('acme_orders').values(rows.slice(1)).execute()
  expect(await waitOf('a.example.org')).toBeUndefined()
  await db.insertInto('acme_orders').values(rows.slice(0, 1)).execute()
  expect((await waitOf('a.example.org'))?.reason).toMatch('has reached the limit of 60 certificates per day')
})

test('shows HTTP URLs once the certificate has expired', async () => {
  const urls = async () => {
    const { application } = await slipway.ok(getApplication, { token, params: { id } })
    return [application.address, (await shown())?.url]
  }
  await change({ ...issued, expires_at: inHours(1) })
  expect(await urls()).toEqual(Array(2).fill(`https://${domain.host}/`))
  await change({ expires_at: inHours(-1) })
  expect(await urls()).toEqual(Array(2).fill(`http://${domain.host}/`))
  expect((await shown())?.certificate).toMatchObject({ status: 'failed' })
})

test('limits orders of the instance within three hours, except renewals', async () => {
  const crowd = await Promise.all(Array.from({ length: 3 }, () => makeTeam(db)))
  const rows = Array.from({ length: 150 }, (_, index) => ({
    workspace_id: crowd[index % 3]?.workspace ?? workspace,
    host: `${index}.example.org`,
    renewal: false,
    created_at: inHours(-2),
  }))
  await db.insertInto('acme_orders').values(rows.slice(1)).execute()
  expect(await waitOf(domain.host)).toBeUndefined()
  await db.insertInto('acme_orders').values(rows.slice(0, 1)).execute()
  expect((await waitOf(domain.host))?.reason).toMatch(
    /^This instance has reached the limit of 150 certificates per 3 hours/,
  )
  expect(await waitOf(domain.host, 'a chain')).toBeUndefined()
})

test('does not delay certificates of other workspaces', async () => {
  const groups = await db
    .selectFrom('jobs')
    .select(['lane', 'group_name', 'group_limit'])
    .where('kind', '=', 'order-certificate')
    .execute()
  expect(groups).toContainEqual({
    lane: 'certificates',
    group_name: `certificates:${workspace}`,
    group_limit: 2,
  })
})
