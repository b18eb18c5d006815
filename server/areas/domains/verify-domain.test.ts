import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createApplication } from '../../../contract/applications.ts'
import * as contract from '../../../contract/domains.ts'
import { releaseHostName } from '../../../contract/instance.ts'
import { listAudit } from '../../../contract/audit.ts'
import { madeCertificate } from '../../../test/support/factories/certificates.ts'
import { newHost, startNames } from '../../../test/support/run/host-names.ts'
import { newId } from '../../platform/ids.ts'
import { toTxtRecord } from '../applications/hosts/host-names.ts'
import { releaseHost, requireProof } from '../applications/hosts/release-host.ts'
import { verifyHostName } from './verify-host-name.ts'

const wildcard = 'apps.example.net'
const { dns, slipway, makeStage, rowOf, holderOf, work } = await startNames({ WILDCARD_DOMAIN: wildcard })
const { ctx, db } = slipway
type Stage = Awaited<ReturnType<typeof makeStage>>

const operator = await makeStage()
await db.updateTable('users').set({ instance_owner: true }).where('id', '=', operator.owner.id).execute()
const release = (host: string) =>
  slipway.ok(releaseHostName, { token: operator.owner.token, params: { host } })
const check = ({ workspace }: Stage, host: string) =>
  work('check-host-name', { workspace_id: workspace, host })
const change = (host: string, changes: { failing: number; checked: number }) =>
  sql`update host_names set failing_since = now() - make_interval(days => ${changes.failing}),
    checked_at = now() - make_interval(days => ${changes.checked}) where host = ${host}`.execute(db)

const checksOf = (host: string) =>
  db.selectFrom('jobs').select(['kind', 'group_name']).where('key', '=', `host-name:${host}`).execute()

describe('a released host name', () => {
  test('can only be claimed with a proof', async () => {
    const host = newHost()
    const [former, owner] = [await makeStage(), await makeStage()]
    const domain = await former.add(host)
    await former.prove(host)
    await slipway.ok(contract.verifyDomain, former.at(domain.id))
    // After a sale, the new owner removes the record and the operator releases the name.
    await dns.write(`_slipway.${host}`)
    await release(host)
    const upload = { ...former.at(domain.id), body: await madeCertificate(host) }
    await slipway.refused(contract.uploadCertificate, upload, 409, 'host_released')
    await slipway.refused(contract.orderCertificate, former.at(domain.id), 409, 'host_released')
    await slipway.refused(contract.verifyDomain, former.at(domain.id), 409, 'host_released')
    await slipway.ok(contract.deleteDomain, former.at(domain.id))
    const { name, value } = toTxtRecord(former.workspace, host)
    expect(await former.refused(host, 'host_released')).toMatchObject({
      error: `An instance owner released the domain ${host}, so ownership must be proven. If it is yours, create the TXT record ${name} with the value ${value}, then try again.`,
    })
    const body = {
      name: 'again',
      server_id: former.server,
      source: { type: 'docker_image', image: 'nginx' },
      domains: [{ host }],
    }
    await slipway.refused(createApplication, { token: former.token, body }, 409, 'host_released')
    const row = { id: newId('domain'), workspace_id: former.workspace, application_id: former.id, host }
    const behind = db.insertInto('domains').values({ ...row, path: '/', https: false })
    await expect(behind.execute()).rejects.toThrow('belongs to another workspace')
    expect(await holderOf(host)).toBeUndefined()
    await owner.refused(host, 'host_released')
    await owner.prove(host)
    expect(await owner.add(host)).toMatchObject({ routing_error: null, verification: { status: 'verified' } })
    await former.refused(host)
  })

  test('returns to its former holder with a proof and is free once removed', async () => {
    const host = newHost()
    const [former, other] = [await makeStage(), await makeStage()]
    const { id } = await former.add(host)
    await release(host)
    await former.prove(host)
    const { domain } = await slipway.ok(contract.verifyDomain, former.at(id))
    expect(domain).toMatchObject({ routing_error: null, verification: { status: 'verified' } })
    await slipway.ok(contract.deleteDomain, former.at(id))
    await other.add(host)
  })

  test('is not claimed by a change that waited for the release lock', async () => {
    const host = newHost()
    const former = await makeStage()
    const { id } = await former.add(host)
    const claimed = await db.transaction().execute(async (trx) => {
      await releaseHost(ctx, trx, host)
      await requireProof(ctx, trx, host)
      const waiting = slipway.call(contract.verifyDomain.key, former.at(id))
      await vi.waitFor(async () => {
        const { rows } =
          await sql`select from pg_locks l join pg_stat_activity a using (pid) where not l.granted
          and a.datname = current_database() and a.query like '%claim_host_name%'`.execute(db)
        expect(rows).toHaveLength(1)
      })
      return { waiting }
    })
    expect(await claimed.waiting).toMatchObject({ status: 409, body: { code: 'host_released' } })
    expect(await holderOf(host)).toBeUndefined()
  })
})

describe('host name verification', () => {
  test('runs when a name is added, hourly until verified, then daily', async () => {
    const stage = await makeStage()
    const [host, created] = [newHost(), newHost()]
    await stage.add(host, { https: false })
    const group_name = `certificates:${stage.workspace}`
    expect(await checksOf(host)).toEqual([{ kind: 'check-host-name', group_name }])
    const body = {
      name: 'shop',
      server_id: stage.server,
      source: { type: 'docker_image', image: 'nginx' },
      domains: [{ host: created, https: false }],
    }
    await slipway.ok(createApplication, { token: stage.token, body })
    expect(await checksOf(created)).toHaveLength(1)
    await check(stage, host)
    expect((await stage.list())[0]).toMatchObject({ verification: { status: 'waiting_for_dns' } })
    await stage.prove(host)
    await check(stage, host)
    expect((await stage.list())[0]).toMatchObject({ verification: { status: 'verified', problem: null } })

    const isChecked = async (hours: number) => {
      await db.deleteFrom('jobs').where('key', '=', `host-name:${host}`).execute()
      await sql`update host_names set checked_at = now() - make_interval(hours => ${hours}) where host = ${host}`.execute(
        db,
      )
      await work('tidy-certificates')
      return (await checksOf(host)).length === 1
    }
    expect([await isChecked(2), await isChecked(25)]).toEqual([false, true])
    await db
      .updateTable('host_names')
      .set({ proof: null, verified_at: null })
      .where('host', '=', host)
      .execute()
    expect([await isChecked(0), await isChecked(2)]).toEqual([false, true])
  })

  test('lapses after 30 days of failed checks, so that another workspace can take over the name', async () => {
    const host = newHost()
    const [holder, owner] = [await makeStage(), await makeStage()]
    const { id } = await holder.add(host)
    await holder.prove(host)
    await slipway.ok(contract.verifyDomain, holder.at(id))
    await owner.prove(host)
    await check(holder, host)
    const [domain] = await holder.list()
    expect(domain?.verification).toMatchObject({
      status: 'verified',
      problem: expect.stringMatching(
        /^The TXT record _slipway\.\S+ is missing\. Create it again\. If checks still fail on \d{4}-\d\d-\d\d, another/,
      ),
    })
    await owner.refused(host)
    for (const recent of [
      { failing: 29, checked: 0 },
      // Checks have failed for 40 days, but Slipway was stopped for the last four, so they prove nothing.
      { failing: 40, checked: 4 },
    ]) {
      await change(host, recent)
      await owner.refused(host)
    }
    await change(host, { failing: 31, checked: 0 })
    expect(await owner.add(host)).toMatchObject({ verification: { status: 'verified' } })
    expect(await holderOf(host)).toBe(owner.workspace)
    const { entries } = await slipway.ok(listAudit, { token: holder.owner.token, query: {} })
    expect(entries[0]).toMatchObject({
      type: 'application.domain_taken_over',
      detail: `${host}, because another workspace proved ownership`,
    })
  })

  test('is restored by the next successful check', async () => {
    const host = newHost()
    const [holder, other] = [await makeStage(), await makeStage()]
    await holder.add(host)
    await holder.prove(host)
    await check(holder, host)
    await change(host, { failing: 31, checked: 0 })
    await check(holder, host)
    expect(await rowOf(host)).toMatchObject({ failing_since: null })
    await other.prove(host)
    await other.refused(host)
  })

  test('times out with unresponsive name servers, however many there are', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { workspace, server } = await makeStage()
    const row = await db.selectFrom('servers').selectAll().where('id', '=', server).executeTakeFirstOrThrow()
    const config = {
      ...ctx.config,
      DNS_SERVER: `127.0.0.1:${silent.address().port}`,
      OUTSIDE_TIMEOUT: 0.5,
    }
    const began = Date.now()
    const evidence = await verifyHostName(
      { ...ctx, config },
      { workspace_id: workspace, host: newHost() },
      Array(100).fill(row),
    )
    expect(evidence).toMatchObject({
      proof: undefined,
      problem: expect.stringMatching(/^DNS lookup of .* failed\./),
    })
    // Checks one after the other would take at least 50 s.
    expect(Date.now() - began).toBeLessThan(40_000)
  })
})

test('reserves the wildcard base and assigns each application only its own name below it', async () => {
  const stage = await makeStage()
  expect(await stage.refused(wildcard, 'host_reserved')).toMatchObject({
    error: `The domain ${wildcard} is reserved for the generated URLs of this instance. Choose another domain.`,
  })
  const own = `${stage.id.replace('_', '-')}.${wildcard}`
  expect(await stage.refused(`login.${wildcard}`, 'host_reserved')).toMatchObject({
    error: `The domain login.${wildcard} is not available: names below ${wildcard} are assigned automatically. Use ${own}, or your own domain.`,
  })
  await stage.refused(`a.login.${wildcard}`, 'host_reserved')
  expect(await stage.add(own)).toMatchObject({ host: own, generated: true })
  const other = await makeStage()
  await other.prove(own)
  await other.refused(own, 'host_reserved')
  const body = { name: 'shop', server_id: stage.server, source: { type: 'docker_image', image: 'nginx' } }
  const domains = [{ host: `mail.${wildcard}` }]
  await slipway.refused(
    createApplication,
    { token: stage.token, body: { ...body, domains } },
    409,
    'host_reserved',
  )
  const { application } = await slipway.ok(createApplication, { token: stage.token, body })
  expect(application.address).toMatch(`.${wildcard}`)
})

test('limits a workspace to 50 unverified names, not counting verified and generated ones', async () => {
  const stage = await makeStage()
  const rows = Array.from({ length: 49 }, () => ({ host: newHost(), workspace_id: stage.workspace }))
  await db.insertInto('host_names').values(rows).execute()
  await stage.add(`${stage.id.replace('_', '-')}.${wildcard}`)
  await stage.add(newHost())
  expect(await stage.refused(newHost(), 'host_names_waiting')).toMatchObject({
    error: expect.stringMatching(/^This workspace has reached the limit of 50 unverified domains\./),
  })
  const [first] = rows
  await db
    .updateTable('host_names')
    .set({ proof: 'dns_txt', verified_at: new Date() })
    .where('host', '=', first?.host ?? '')
    .execute()
  await stage.add(newHost())
})
