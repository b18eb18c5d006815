import { expect, test } from 'vitest'
import { startDeploymentWorker } from '../../../test/support/stages/deployment-worker.ts'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'
import { JobStopped } from '../../platform/jobs.ts'
import { newId } from '../../platform/ids.ts'
import { updateDeployment, sealErrors } from './run/deployment.ts'
import { removeOrphans } from './cleanup/remove-orphans.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

// No worker runs here: the tests run the jobs themselves.
const stage = await openShopStage('1')
const { slipway, host, ctx, db, workspace } = stage
const { request, look, instancesOf, makeShop, setEnv, setFile, containersOf, visit } = stage

const { work, workToTheEnd } = startDeploymentWorker(slipway, workspace)

const shop = await makeShop('shop.test')
await workToTheEnd((await request(shop)).id, 1)

test.each(['check', 'fetch', 'start', 'wait', 'switch', 'drain', 'prune'] as const)(
  'resumes after a worker died in the step %s',
  async (step) => {
    await setEnv(shop, { VERSION: `after ${step}` })
    const { id } = await request(shop)
    if (step === 'drain' || step === 'prune') await work(id, 1)
    await expect(work(id, 1, { diesIn: step })).rejects.toThrow('lease_lost')
    await workToTheEnd(id, 2)
    const done = await look(id)
    expect(done).toMatchObject({ status: 'completed', errors: [] })
    for (const one of done.steps) expect(one.status).toBe('completed')
    expect(await visit('shop.test')).toContain(`after ${step} `)
    expect(await instancesOf(shop)).toMatchObject([{ state: 'serving', deployment_id: id }])
    expect(await containersOf(shop)).toHaveLength(1)
  },
)

test('reverts an abandoned deployment, and masks values in its event', async () => {
  await setEnv(shop, { VERSION: 'never', PASSWORD: 'open-sesame' })
  const before = await instancesOf(shop)
  const { id } = await request(shop)
  const lost = 'It was lost with open-sesame.'
  await expect(work(id, 1, { diesIn: 'wait' })).rejects.toThrow('lease_lost')
  expect(await containersOf(shop)).toHaveLength(2)
  await updateDeployment(db, workspace, id, { errors_sealed: sealErrors(ctx, id, [lost, 'last line']) })
  await workToTheEnd(id, 2)
  expect(await look(id)).toMatchObject({ status: 'failed', errors: [lost, 'last line'], release: null })
  const [event] = await db
    .selectFrom('events')
    .select('detail')
    .where('about', '=', id)
    .where('type', '=', 'deployment.failed')
    .execute()
  expect(event?.detail).toContain('It was lost with •••.')
  expect(await instancesOf(shop)).toEqual(before)
  expect(await containersOf(shop)).toHaveLength(1)
})

test('removes orphaned containers and rows and keeps what is live', async () => {
  await setEnv(shop, { VERSION: 'left' })
  const before = await instancesOf(shop)
  const { id } = await request(shop)
  await expect(work(id, 1, { diesIn: 'wait' })).rejects.toThrow('lease_lost')
  await updateDeployment(db, workspace, id, { status: 'failed', finished_at: new Date() })
  const run = { id: newId('job'), attempt: 1, fence: 1, signal: new AbortController().signal }
  const label = (name: string, value: string) => ['--label', `slipway.${name}=${value}`]
  const labels = (instance: string) => [...label('application', shop), ...label('instance', instance)]
  await host.exec(
    'docker',
    'run',
    '--detach',
    '--name',
    'shop-9-1-body',
    ...labels('ins_nobody'),
    'rig/app:1',
  )
  // An image that a user commits from a container of Slipway inherits the labels, but its containers belong to the user.
  for (const [name, instance] of [
    ['mine', before[0]?.id ?? ''],
    ['mine-too', 'ins_nobody'],
  ] as const)
    await host.exec('docker', 'run', '--detach', '--name', name, ...labels(instance), 'rig/app:1')
  expect(await containersOf(shop)).toHaveLength(5)

  // Another worker takes over the lease during the cleanup.
  let left = 1
  const assertLease = async () => {
    if (left-- <= 0) throw new JobStopped('lease_lost')
  }
  await expect(removeOrphans(ctx, workspace, shop, { ...run, assertLease })).rejects.toThrow('lease_lost')
  expect(await containersOf(shop)).toHaveLength(5)

  await removeOrphans(ctx, workspace, shop, { ...run, assertLease: async () => {} })
  expect(await instancesOf(shop)).toEqual(before)
  const names = await containersOf(shop)
  expect(names).toHaveLength(3)
  expect(names).toEqual(expect.arrayContaining(['mine', 'mine-too']))
  expect(await visit('shop.test')).toContain('after prune ')
})

longTest('runs one-off services once, and restores the name of a held container', async () => {
  const composed = await makeShop()
  await setFile(
    composed,
    `services:
      prepare: { image: 'rig/app:1', entrypoint: [node, -e, ''], environment: [VERSION] }
      one:
        image: rig/app:1
        container_name: the-one
        environment: [VERSION]
        depends_on: { prepare: { condition: service_completed_successfully } }`,
  )
  const begin = async (version: string) => {
    await setEnv(composed, { VERSION: version })
    return (await request(composed)).id
  }
  const inspect = async (name: string, field: string) =>
    (await host.exec('docker', 'inspect', '--format', `{{.${field}}}`, name)).trim()
  await workToTheEnd(await begin('one'))

  const id = await begin('two')
  await expect(work(id, 1, { diesIn: 'wait' })).rejects.toThrow('lease_lost')
  const made = (await instancesOf(composed)).filter((one) => one.deployment_id === id)
  const prepare = made.find(({ service }) => service === 'prepare')?.container_id ?? ''
  const ran = await inspect(prepare, 'State.StartedAt')
  await workToTheEnd(id, 2)
  expect(await look(id)).toMatchObject({ status: 'completed', errors: [] })
  expect(await inspect(prepare, 'State.StartedAt')).toBe(ran)
  const [before, theOne] = [await instancesOf(composed), await inspect('the-one', 'Id')]

  const lost = await begin('three')
  await expect(work(lost, 1, { diesIn: 'wait' })).rejects.toThrow('lease_lost')
  expect(await inspect('the-one', 'Id')).not.toBe(theOne)
  await updateDeployment(db, workspace, lost, { status: 'failed', finished_at: new Date() })
  const run = { id: newId('job'), attempt: 1, fence: 1, signal: new AbortController().signal }
  await removeOrphans(ctx, workspace, composed, { ...run, assertLease: async () => {} })
  expect([await inspect('the-one', 'Id'), await inspect('the-one', 'State.Status')]).toEqual([
    theOne,
    'running',
  ])
  expect(await instancesOf(composed)).toEqual(before)
  expect(await containersOf(composed)).toHaveLength(2)
})
