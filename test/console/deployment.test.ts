import { expect, onTestFinished, test } from 'vitest'
import type { Id } from '../../contract/shared/ids.ts'
import type { NewOutput } from '../../server/areas/outputs/output.ts'
import { appendOutput } from '../../server/areas/outputs/output.ts'
import { nudge } from '../../server/events.ts'
import {
  failedWith,
  makeApplication,
  makeDeployment,
  makeRelease,
} from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { button, field, misses, sees, toast } from '../support/console/see.ts'
import { openConsole } from '../support/console/open-console.ts'

const stage = await openConsole()
const { ctx, db } = stage.slipway
const { workspace, admin, member, viewer } = await makeTeam(db)
const server = await makeShownServer(db, workspace)

const said = (origin: NewOutput['origin'], text: string): NewOutput => ({ stream: 'stdout', origin, text })

async function makeFailed(errors: string[], output: NewOutput[] = [], image = 'ghcr.io/acme/shop:2') {
  const id = await makeApplication(db, workspace, server, { name: 'shop', image, port: 8080 })
  const failed = { ...failedWith(ctx, errors), message: `Deploy ${image}`, tag: image }
  const deployment = await makeDeployment(db, workspace, { id, server }, failed)
  await appendOutput(ctx, db, workspace, deployment, output)
  return { id, path: `/dashboard/applications/${id}/deployments/${deployment}` }
}

const begun = (id: Id<'application'>) =>
  db
    .selectFrom('deployments')
    .select('id')
    .where('application_id', '=', id)
    .where('status', '=', 'queued')
    .execute()

const application = (id: Id<'application'>) =>
  db.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('shows the lines of Slipway and of the container apart, and goes to the one that failed', async () => {
  const steps = Array.from({ length: 200 }, (_, step) => `step ${step}\n`).join('')
  const { path } = await makeFailed(
    ['Container shop-1 exited with code 1.', '\u001b[31mError: no such host\u001b[39m', '    at db.js:3'],
    [
      said('slipway', 'Started container shop-1\n'),
      said('container', `\u001b[31mError: no such host\u001b[39m\n    at db.js:3\n${steps}`),
      said('slipway', 'Deployment failed: Container shop-1 exited with code 1.\n'),
    ],
  )
  const page = stage.page({ token: viewer.token })
  await page.goto(path)
  const log = page.getByRole('log', { name: 'Deployment log' })
  const cause = log.locator('[data-failed]').filter({ hasText: 'Error: no such host' })
  await sees(cause)
  const output = page.getByRole('region', { name: 'Errors' }).getByLabel('Last lines of output')
  const colored = output.getByText('Error: no such host', { exact: true })
  await sees(colored)
  expect(await colored.getAttribute('style')).toContain('--ansi-red')
  expect(await cause.locator('[style]').first().getAttribute('style')).toContain('--ansi-red')
  await button(page, 'Deployment').click()
  await misses(cause)
  await sees(log.getByText('Deployment failed: Container shop-1 exited with code 1.'))
  await expect.poll(() => log.locator('[data-number]').count()).toBe(2)
  await button(page, 'Container').click()
  await sees(log.getByText('step 0', { exact: true }))
  await sees(cause)
  await misses(log.getByText('Started container shop-1'))
  for (const name of ['Deploy again', 'Use port 3000']) expect(await button(page, name).count()).toBe(0)
})

test('changes the port and deploys again with one click', async () => {
  const { id, path } = await makeFailed([
    'Health check of container shop-1 failed after 5 s: connection refused on port 8080. The application listens on port 3000, not on 8080.',
    'Listening on port 3000',
  ])
  const page = stage.page({ token: member.token })
  await page.goto(path)
  await button(page, 'Use port 3000').click()
  await sees(page.getByText('Queued', { exact: true }).first())
  const [deployment] = await begun(id)
  await expect.poll(() => page.url()).toContain(`/deployments/${deployment?.id}`)
  expect((await application(id)).port).toBe(3000)
  await page.goto(path)
  await sees(button(page, 'Deploy again'))
  expect(await button(page, 'Use port 3000').count()).toBe(0)
})

const missing = (image: string) => [
  `The registry ghcr.io has no image ${image}, or the image is private. Check the name, or add credentials under Integrations → Image registries.`,
]

test('changes a wrong image and deploys it', async () => {
  const { id, path } = await makeFailed(missing('ghcr.io/acme/shop:2'))
  const page = stage.page({ token: member.token })
  await page.goto(path)
  await button(page, 'Change image').click()
  // Credentials are for admins.
  expect(await button(page, 'Add registry credentials').count()).toBe(0)
  const dialog = page.getByRole('dialog', { name: 'Change image' })
  await field(dialog, 'Image').fill('ghcr.io/acme/shop:3')
  await button(dialog, 'Save and deploy').click()
  await sees(page.getByText('Queued', { exact: true }).first())
  expect((await application(id)).image).toBe('ghcr.io/acme/shop:3')
  expect(await begun(id)).toHaveLength(1)
})

test('adds credentials for the registry of the image and deploys again', async () => {
  const image = 'registry.acme.example:5000/acme/shop:2'
  const { id, path } = await makeFailed(missing(image), [], image)
  const page = stage.page({ token: admin.token })
  await page.goto(path)
  await button(page, 'Add registry credentials').click()
  const dialog = page.getByRole('dialog', { name: 'Add registry' })
  expect(await field(dialog, 'Host').inputValue()).toBe('registry.acme.example:5000')
  await field(dialog, 'Username').fill('acme')
  await field(dialog, 'Password or token').fill('secret')
  await dialog.getByLabel('Save without checking').check()
  await button(dialog, 'Add and deploy').click()
  await sees(toast(page, 'Registry added'))
  await sees(page.getByText('Queued', { exact: true }).first())
  expect(await begun(id)).toHaveLength(1)
})

test('shows the free space of a full disk beside the cleanup', async () => {
  const { path } = await makeFailed(['The disk of web-1 is full. Free up space, then deploy again.'])
  const nothing = { cpu: 0, network_in: 0, network_out: 0, load_1: 0, load_5: 0, load_15: 0 }
  const disk = { disk_total: 20 * 2 ** 30, disk_used: 19 * 2 ** 30, memory_total: 1, memory_used: 1 }
  const sample = { workspace_id: workspace, server_id: server, at: new Date(), ...nothing, ...disk }
  await db.insertInto('server_samples').values(sample).execute()
  const page = stage.page({ token: admin.token })
  await page.goto(path)
  await button(page, 'Free disk space').click()
  const dialog = page.getByRole('dialog', { name: 'Prune images' })
  await sees(dialog.getByText('1 GiB of 20 GiB free on web-1'))
})

async function makeRunning(name: string) {
  const id = await makeApplication(db, workspace, server, { name })
  // The first attempt failed.
  await makeRelease(ctx, workspace, id, 1, { live_at: null })
  const release_id = await makeRelease(ctx, workspace, id, 2)
  const running = { status: 'running', started_at: new Date(), finished_at: null, release_id } as const
  const deployment = await makeDeployment(db, workspace, { id, server }, running)
  const end = async (status: 'completed' | 'failed') => {
    const ended = { status, finished_at: new Date() }
    await db.updateTable('deployments').set(ended).where('id', '=', deployment).execute()
    await nudge(db, workspace, 'deployment.changed', id)
    await nudge(db, workspace, 'application.changed', id)
  }
  return { path: `/dashboard/applications/${id}`, deployment, end }
}

/** What browsers show, since jsdom has no notifications. */
function listenToNotifications() {
  const shown: string[] = []
  class ShownNotification extends EventTarget {
    static readonly permission = 'granted'
    static readonly requestPermission = async () => 'granted'
    constructor(title: string) {
      super()
      shown.push(title)
    }
  }
  const { isSecureContext } = window
  Object.assign(window, { Notification: ShownNotification, isSecureContext: true })
  Object.assign(document, { hasFocus: () => false })
  onTestFinished(() => {
    Reflect.deleteProperty(window, 'Notification')
    Object.assign(window, { isSecureContext })
    Reflect.deleteProperty(document, 'hasFocus')
  })
  return shown
}

test('announces the first success of an application, and celebrates it once', async () => {
  const shown = listenToNotifications()
  const { path, deployment, end } = await makeRunning('first')
  const page = stage.page({ token: member.token })
  await page.goto(`${path}?deploymentId=${deployment}`)
  const dialog = page.getByRole('dialog', { name: 'Deployment of first' })
  await button(dialog, 'Notify me').click()
  await expect.poll(() => button(dialog, 'Notify me').getAttribute('aria-pressed')).toBe('true')
  expect(page.title()).toBe('Deploying… first · Slipway')
  await end('completed')
  await sees(dialog.getByRole('region', { name: 'first is live' }))
  await sees(toast(page, 'first deployed'))
  await expect.poll(() => page.title()).toBe('Deployed · first · Slipway')
  expect(shown).toEqual(['Deployed · first'])
  await page.goto(`${path}/deployments/${deployment}`)
  await sees(page.getByRole('log', { name: 'Deployment log' }))
  expect(await page.getByRole('region', { name: 'first is live' }).count()).toBe(0)
  await expect.poll(() => page.title()).toBe('Deployed · first · Slipway')
})

test('announces a failure where the deployment is not shown', async () => {
  const { path, deployment, end } = await makeRunning('second')
  const page = stage.page({ token: member.token })
  await page.goto(`${path}/logs`)
  await expect.poll(() => page.title()).toBe('Deploying… second · Slipway')
  await end('failed')
  await sees(toast(page, 'Deployment of second failed'))
  await expect.poll(() => page.title()).toBe('Failed · second · Slipway')
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'View' }).click()
  await expect.poll(() => page.url()).toContain(`/deployments/${deployment}`)
  await page.follow(`${path}/settings`)
  await expect.poll(() => page.title()).toBe('second · Slipway')
})
