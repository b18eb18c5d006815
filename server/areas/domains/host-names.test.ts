import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApplication, reviewApplication } from '../../../contract/applications.ts'
import * as contract from '../../../contract/domains.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import * as instance from '../../../contract/instance.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { madeCertificate } from '../../../test/support/factories/certificates.ts'
import { createTestDatabase } from '../../../test/support/run/database.ts'
import { eventsOf } from '../../../test/support/clients/events.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { newHost, run, startNames } from '../../../test/support/run/host-names.ts'
import { newId } from '../../platform/ids.ts'
import { toTxtRecord } from '../applications/hosts/host-names.ts'
import { consoleHost } from '../applications/hosts/reserved-host.ts'
import { orderCertificate } from './order-certificate.ts'
import { verifyHostName } from './verify-host-name.ts'

const { dns, slipway, makeStage, holderOf, work } = await startNames()
const { ctx, db } = slipway
const orders = (host: string) => db.selectFrom('acme_orders').selectAll().where('host', '=', host).execute()

async function order(workspace: Id<'workspace'>, host: string) {
  const { id } = await db
    .selectFrom('certificates')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('host', '=', host)
    .executeTakeFirstOrThrow()
  await orderCertificate(ctx, workspace, id, run)
}

describe('a host name', () => {
  test('is rejected for a second workspace without naming the holder', async () => {
    const host = newHost()
    const [one, other] = [await makeStage(), await makeStage()]
    await one.add(host)
    const { error } = (await other.refused(host)) as { error: string }
    const { name, value } = toTxtRecord(other.workspace, host)
    expect(error).toBe(
      `The domain ${host} is already in use. If it is yours, create the TXT record ${name} with the value ${value}, then try again.`,
    )
    const mine = await other.add(newHost())
    const changed = { ...other.at(mine.id), body: { host } }
    await slipway.refused(contract.updateDomain, changed, 409, 'host_taken')
    expect(await other.list()).toMatchObject([{ host: mine.host }])
    expect(await holderOf(host)).toBe(one.workspace)
    // The name is also refused with another path and for a new application.
    const elsewhere = other.asked(host, { path: '/login' })
    await slipway.refused(contract.createDomain, elsewhere, 409, 'host_taken')
    const body = {
      name: 'thief',
      server_id: other.server,
      source: { type: 'docker_image', image: 'nginx' },
      domains: [{ host }],
    }
    await slipway.refused(createApplication, { token: other.token, body }, 409, 'host_taken')
    const { review } = await slipway.ok(reviewApplication, { token: other.token, body })
    expect(review.problems['domains.0.host']).toEqual([error])
  })

  test('goes to exactly one of several concurrent workspaces', async () => {
    const host = newHost()
    const stages = await Promise.all([1, 2, 3, 4].map(() => makeStage()))
    const got = await Promise.all(
      stages.map(({ asked }) => slipway.call(contract.createDomain.key, asked(host))),
    )
    expect(got.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409', '409', '409'])
  })

  test('is released with the last domain or the workspace', async () => {
    const host = newHost()
    const [one, other] = [await makeStage(), await makeStage()]
    const [first, second] = [
      await one.add(host),
      await slipway.ok(contract.createDomain, one.asked(host, { path: '/api' })),
    ]
    await slipway.ok(contract.deleteDomain, one.at(first.id))
    await other.refused(host)
    await slipway.ok(contract.deleteDomain, one.at(second.domain.id))
    await other.add(host)
    await db.deleteFrom('workspaces').where('id', '=', other.workspace).execute()
    await one.add(host)
    expect(await holderOf(host)).toBe(one.workspace)
  })

  test('is claimed by every way to add a domain', async () => {
    const host = newHost()
    const [one, other] = [await makeStage(), await makeStage()]
    const row = (workspace_id: Id<'workspace'>, application_id: Id<'application'>) => ({
      id: newId('domain'),
      workspace_id,
      application_id,
      host,
      path: '/',
      https: false,
    })
    await db.insertInto('domains').values(row(one.workspace, one.id)).execute()
    const theft = db.insertInto('domains').values(row(other.workspace, other.id)).execute()
    await expect(theft).rejects.toThrow(`The host name ${host} belongs to another workspace.`)
  })

  test('conflicts with an overlapping wildcard in both directions', async () => {
    const [one, other] = [await makeStage(), await makeStage()]
    const claim = async ({ workspace }: typeof one, host: string) => {
      const { rows } = await sql<{
        claimed: boolean
      }>`select claim_host_name(${workspace}, ${host}) as claimed`.execute(db)
      return rows[0]?.claimed
    }
    const [zone, wild] = [newHost(), newHost()]
    expect(await claim(one, `a.${zone}`)).toBe(true)
    expect(await claim(other, `*.${zone}`)).toBe(false)
    expect(await claim(one, `*.${zone}`)).toBe(true)
    expect(await claim(one, `*.${wild}`)).toBe(true)
    for (const host of [wild, `a.${wild}`, `*.${wild}`]) expect(await claim(other, host)).toBe(false)
    for (const host of [`a.b.${wild}`, `x${wild}`, 'example.org']) expect(await claim(other, host)).toBe(true)
  })

  test('of the console is reserved and released from existing domains', async () => {
    const { id, workspace, list, refused } = await makeStage()
    const host = consoleHost(ctx.config)
    expect(await refused(host, 'host_reserved')).toEqual({
      error: 'The domain console.example.com is the host name of this instance. Choose another domain.',
      code: 'host_reserved',
    })
    const row = {
      id: newId('domain'),
      workspace_id: workspace,
      application_id: id,
      host,
      path: '/',
      https: true,
    }
    await db.insertInto('domains').values(row).execute()
    await work('tidy-certificates')
    expect(await list()).toMatchObject([
      {
        verification: { status: 'released' },
        routing_error: expect.stringContaining('is the host name of this instance'),
      },
    ])
    expect(await holderOf(host)).toBeUndefined()
  })
})

describe('an unverified host name', () => {
  test('moves to the workspace with the TXT record, with certificate and route removed from the former holder', async () => {
    const host = newHost()
    const [squatter, owner] = [await makeStage(), await makeStage()]
    const { id } = await squatter.add(host)
    await slipway.ok(contract.uploadCertificate, { ...squatter.at(id), body: await madeCertificate(host) })
    await squatter.prove(newHost())
    await owner.refused(host)
    await owner.prove(host)
    expect(await owner.add(host)).toMatchObject({ routing_error: null, verification: { status: 'verified' } })
    expect(await squatter.list()).toMatchObject([
      {
        routing_error: expect.stringContaining(`${host} no longer belongs to this workspace`),
        verification: { status: 'released' },
        certificate: null,
      },
    ])
    const kept = db.selectFrom('certificates').select('workspace_id').where('host', '=', host)
    expect(await kept.execute()).toEqual([{ workspace_id: owner.workspace }])
    expect(await eventsOf(db, squatter.workspace)).toContain('application.domain_taken_over')
    // Neither an uploaded certificate nor a new check returns the name to its former workspace.
    const upload = { ...squatter.at(id), body: await madeCertificate(host) }
    await slipway.refused(contract.uploadCertificate, upload, 409, 'host_taken')
    await slipway.refused(contract.verifyDomain, squatter.at(id), 409, 'host_taken')
  })

  test('stays with its holder once verified, until the operator releases it', async () => {
    const host = newHost()
    const [holder, late] = [await makeStage(), await makeStage()]
    const { id } = await holder.add(host)
    await holder.prove(host)
    const { domain } = await slipway.ok(contract.verifyDomain, holder.at(id))
    expect(domain.verification).toMatchObject({ status: 'verified', problem: null })
    await late.prove(host)
    expect(await late.refused(host)).toMatchObject({
      error: `The domain ${host} is already in use. If it is yours, ask an instance owner to release it.`,
    })
    await slipway.refused(instance.releaseHostName, { token: late.token, params: { host } }, 403)
    const { id: user } = late.owner
    await db.updateTable('users').set({ instance_owner: true }).where('id', '=', user).execute()
    const { token } = late.owner
    const listed = await slipway.ok(instance.listHostNames, { token, query: { q: host.toUpperCase() } })
    expect(listed.host_names).toMatchObject([{ host, workspace: { id: holder.workspace } }])
    await slipway.ok(instance.releaseHostName, { token, params: { host } })
    await slipway.refused(instance.releaseHostName, { token, params: { host } }, 404, 'not_found')
    const { entries } = await slipway.ok(instance.listInstanceAudit, { token, query: { q: host } })
    expect(entries).toMatchObject([
      { type: 'host_name.released', actor: { id: user }, target: { name: host } },
    ])
    expect(await holder.list()).toMatchObject([{ verification: { status: 'released' }, certificate: null }])
    expect(await late.add(host)).toMatchObject({ verification: { status: 'verified' } })
  })

  test('gets no certificate through the address of another workspace or an entered address', async () => {
    const host = newHost()
    const victim = await makeStage({ address: '192.0.2.80', proven_address: '192.0.2.80', proven_version: 1 })
    await victim.add(newHost())
    await dns.point(host, '192.0.2.80')
    // The attacker enters the address of the victim's server, but Slipway never logged in to it for the attacker.
    const typed = { address: '192.0.2.80', http_port_used: 80, https_port_used: 443 }
    for (const given of [
      typed,
      { ...typed, proven_address: '192.0.2.80', proven_version: 7 },
      { ...typed, address: 'web.example.com', proven_address: '192.0.2.81', proven_version: 1 },
    ]) {
      const thief = await makeStage(given)
      const { id } = await thief.add(host)
      await order(thief.workspace, host)
      expect(await orders(host)).toEqual([])
      expect(await thief.list()).toMatchObject([
        {
          verification: { status: 'needs_txt' },
          certificate: { status: 'waiting', error: expect.any(String) },
        },
      ])
      const server = await db
        .selectFrom('servers')
        .selectAll()
        .where('id', '=', thief.server)
        .executeTakeFirstOrThrow()
      const evidence = await verifyHostName(ctx, { workspace_id: thief.workspace, host }, [server])
      expect(evidence).toMatchObject({ proof: undefined, needsTxt: true })
      await slipway.ok(contract.deleteDomain, thief.at(id))
    }
  })
})

test('assigns names used by two workspaces to the first one with their certificates', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const old = database.db
  await sql
    .raw(
      `drop trigger claim_host_on_insert on domains; drop trigger claim_host_on_update on domains;
      drop trigger release_host_on_delete on domains; drop trigger release_host_on_update on domains;
      drop function claim_domain_host; drop function release_domain_host; drop function claim_host_name;
      drop table host_names cascade; drop table released_host_names; drop table acme_challenges; alter table acme_orders drop column renewal`,
    )
    .execute(old)
  const host = newHost()
  async function use(created_at: Date) {
    const { workspace } = await makeTeam(old)
    const server = await makeServer({ ...ctx, db: old }, workspace, nowhere())
    const application_id = await makeApplication(old, workspace, server)
    const of = { workspace_id: workspace, host }
    const domain = { ...of, application_id, path: '/', https: true, created_at }
    await old
      .insertInto('domains')
      .values({ id: newId('domain'), ...domain })
      .execute()
    const certificate = { ...of, kind: 'acme', status: 'issued' } as const
    await old
      .insertInto('certificates')
      .values({ id: newId('certificate'), ...certificate })
      .execute()
    return workspace
  }
  await use(new Date())
  const first = await use(new Date(0))
  const file = join(import.meta.dirname, '../../migrations/0001-0022/0016-host-names.sql')
  await sql.raw(await readFile(file, 'utf8')).execute(old)
  const held = { workspace_id: first, host, verified_at: null }
  expect(await old.selectFrom('host_names').selectAll().execute()).toMatchObject([held])
  expect(await old.selectFrom('certificates').select('workspace_id').execute()).toEqual([
    { workspace_id: first },
  ])
  expect(await old.selectFrom('domains').select('id').execute()).toHaveLength(2)
})
