import { afterAll, beforeEach, expect, test } from 'vitest'
import { listVolumes } from '../../../contract/application-entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { previewPrune, removeImage } from '../../../contract/images.ts'
import { loadBusybox } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeApplication,
  makeDeployment,
  makeRelease,
} from '../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import { insertInstance, applicationVolumeName } from '../applications/instance.ts'
import { retainedReleaseCount, releaseTag } from '../applications/release.ts'
import { getServerRow } from '../servers/server.ts'
import { pruneReleases } from './cleanup/clean-up.ts'
import { updateDeployment } from './run/deployment.ts'

const host = await takeHost()
await loadBusybox(host)
const slipway = await startSlipway()
afterAll(() => slipway.close())
const { workspace, admin, member } = await makeTeam(slipway.db)
const server = await makeServer(slipway.ctx, workspace, host)
let shop: Id<'application'>
beforeEach(async () => {
  shop = await makeApplication(slipway.db, workspace, server)
})

const tagOf = (number: number) => releaseTag({ application_id: shop, number })

/** Creates one image per list of names. A label makes each image unique. */
const make = (...images: string[][]) =>
  host.exec(
    'sh',
    '-euc',
    `box=$(docker create rig/busybox)
    for names; do
      id=$(docker commit --change "LABEL only='$names'" "$box")
      for name in $names; do docker tag "$id" "$name"; done
    done
    docker rm "$box"`,
    'sh',
    ...images.map((names) => names.join(' ')),
  )
const tags = async () =>
  (await host.exec('docker', 'images', '--format', '{{.Repository}}:{{.Tag}}')).trim().split('\n').toSorted()

const count = retainedReleaseCount + 3

test('keeps the images of the last releases and removes older unused ones', async () => {
  const digest = `sha256:${'1'.repeat(64)}`
  const releases: Id<'release'>[] = []
  const numbers = Array.from({ length: count }, (_, n) => n + 1)
  await make(...numbers.map((number) => [`made:${number}`, tagOf(number)]))
  for (const number of numbers) {
    const live_at = new Date(Date.now() - (count - number) * 60_000)
    const given = { image: `made:${number}`, live_at, digest: number === 2 ? null : digest }
    releases.push(await makeRelease(slipway.ctx, workspace, shop, number, given))
  }
  // An interrupted deployment left this tag behind.
  await host.exec('docker', 'tag', `made:${count}`, tagOf(99))
  // The third release is old, but one of its containers is still draining.
  const deployment_id = await makeDeployment(slipway.db, workspace, { id: shop, server })
  const of = { workspace_id: workspace, application_id: shop, server_id: server, deployment_id }
  const instance = { ...of, release_id: releases[2] ?? 'rel_none', replica: 1, address: '10.9.9.9' }
  await insertInstance(slipway.db, { id: newId('instance'), ...instance, state: 'draining' })

  // A rollback to the first release is queued.
  const waiting = { status: 'queued', type: 'rollback_application', release_id: releases[0] ?? null } as const
  const queued = await makeDeployment(slipway.db, workspace, { id: shop, server }, waiting)

  const row = await getServerRow(
    slipway.ctx,
    { workspace: { id: workspace, role: 'owner', shell_access: 'members' } },
    server,
  )
  const again = (write: Parameters<typeof pruneReleases>[0]['write']) =>
    pruneReleases({
      ctx: slipway.ctx,
      server: row,
      application: { workspace_id: workspace, id: shop },
      write,
      signal: new AbortController().signal,
    })
  const before = await tags()
  await expect(again(() => Promise.reject(new Error('Another has it.')))).rejects.toThrow('Another has it.')
  expect(await tags()).toEqual(before)
  const mine: Parameters<typeof again>[0] = (work) => transaction(slipway.db, work)
  await again(mine)
  expect(await tags()).toEqual(expect.arrayContaining([tagOf(1), tagOf(3)]))
  await updateDeployment(slipway.db, workspace, queued, { status: 'cancelled' })
  await again(mine)
  // The image of the first release can be pulled again; the image of the second exists only here.
  const left = numbers.slice(2)
  const wanted = [...left.flatMap((n) => [`made:${n}`, tagOf(n)]), 'made:2', 'rig/busybox:latest']
  expect(await tags()).toEqual(wanted.toSorted())
  const kept = await slipway.db.selectFrom('releases').select('number').where('kept', '=', true).execute()
  expect(kept.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(left)

  await again(mine)
  expect(await tags()).toEqual(wanted.toSorted())
})

test('protects images of releases from prune and removal, except by force', async () => {
  await make([tagOf(1)], ['spare:1'])
  const asked = { token: admin.token, params: { id: server } }
  const { prune: going } = await slipway.ok(previewPrune, { ...asked, query: { all: 'true' } })
  const names = going.images.flatMap((image) => image.tags)
  expect(names).toContain('spare:1')
  expect(names).not.toContain(tagOf(1))
  const id = (await host.exec('docker', 'images', '--quiet', '--no-trunc', tagOf(1))).trim()
  const remove = (name: string, force = 'false') => ({
    token: admin.token,
    params: { id: server, name },
    query: { force },
  })
  for (const name of [tagOf(1), id]) await slipway.refused(removeImage, remove(name), 409, 'image_kept')
  expect(await tags()).toContain(tagOf(1))
  await host.exec('docker', 'tag', tagOf(1), 'beside:1')
  await slipway.ok(removeImage, remove('beside:1'))
  expect(await tags()).toContain(tagOf(1))
  await slipway.ok(removeImage, remove(tagOf(1), 'true'))
  expect(await tags()).not.toContain(tagOf(1))
})

test('measures volumes on request, but never host folders', async () => {
  const row = await slipway.db
    .selectFrom('applications')
    .select(['id', 'slug'])
    .where('id', '=', shop)
    .executeTakeFirstOrThrow()
  for (const [position, [source, target]] of [
    ['data', '/data'],
    ['empty', '/empty'],
    ['/srv/files', '/files'],
  ].entries())
    await slipway.db
      .insertInto('volumes')
      .values({
        id: newId('volume'),
        workspace_id: workspace,
        application_id: shop,
        position,
        source: source ?? '',
        target: target ?? '',
      })
      .execute()
  const name = applicationVolumeName(row, 'data')
  await host.exec(
    'docker',
    'run',
    '--rm',
    '--volume',
    `${name}:/data`,
    'rig/busybox',
    'sh',
    '-c',
    'head -c 300000 /dev/zero > /data/a',
  )
  const sizes = async (query: Record<string, string>) =>
    (await slipway.ok(listVolumes, { token: member.token, params: { id: shop }, query })).volumes.map(
      ({ source, size_bytes }) => [source, size_bytes],
    )
  const unknown = [
    ['data', null],
    ['empty', null],
    ['/srv/files', null],
  ]
  expect(await sizes({})).toEqual(unknown)
  expect(await sizes({ sizes: 'true' })).toEqual([['data', expect.closeTo(300_000, -5)], ...unknown.slice(1)])
})
