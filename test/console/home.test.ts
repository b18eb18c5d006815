import { expect, test } from 'vitest'
import { nudge } from '../../server/events.ts'
import { makeApplication, failedWith, makeDeployment } from '../support/factories/application-factories.ts'
import { makeServer, makeTeam, nowhere } from '../support/factories/factories.ts'
import { button, field, heading, isAt, misses, sees, toast } from '../support/console/see.ts'
import { openConsole } from '../support/console/open-console.ts'

// No worker runs, so that servers stay as shown.
const stage = await openConsole()
const { db } = stage.slipway.ctx

test('shows live what needs attention, with links', async () => {
  const { workspace, owner } = await makeTeam(db)
  const page = stage.page({ token: owner.token })
  await page.goto('/dashboard')
  await sees(heading(page, `Welcome back, ${owner.name}`))
  await sees(page.getByText('No recent deploys found.'))
  await misses(page.getByText('All clear'))

  const server = await makeServer(stage.slipway.ctx, workspace, nowhere(), { status: 'ready' })
  const id = await makeApplication(db, workspace, server, { name: 'shop' })
  await nudge(db, workspace, 'application.changed', id)
  await sees(page.getByText('All clear'))
  const failed = failedWith(stage.slipway.ctx, ['There is no such image.'])
  const deployment = await makeDeployment(db, workspace, { id, server }, failed)
  await nudge(db, workspace, 'deployment.changed', id)
  await sees(page.getByText('There is no such image.'))
  await page.getByRole('link', { name: 'The latest deployment of shop failed.' }).click()
  await isAt(page, `/dashboard/applications/${id}/deployments?deploymentId=${deployment}`)
})

test('ticks off the first steps and offers the next one until dismissed', async () => {
  const { workspace, owner } = await makeTeam(db)
  const page = stage.page({ token: owner.token })
  await page.goto('/dashboard')
  const steps = page.getByRole('region', { name: 'Get started' })
  await sees(steps.getByText('1 of 5 done'))
  await sees(steps.getByRole('link', { name: 'Import server' }))
  const server = await makeServer(stage.slipway.ctx, workspace, nowhere(), { status: 'ready' })
  await nudge(db, workspace, 'server.changed', server)
  await sees(steps.getByText('2 of 5 done'))
  await sees(steps.getByRole('link', { name: 'Deploy an application' }))
  await button(steps, 'Dismiss').click()
  await misses(steps)
  await page.goto('/dashboard/servers')
  await page.goto('/dashboard')
  await sees(page.getByRole('region', { name: 'Servers' }))
  await misses(steps)
})

test('offers viewers no forbidden actions', async () => {
  const { viewer } = await makeTeam(db)
  const page = stage.page({ token: viewer.token })
  await page.goto('/dashboard')
  await sees(page.getByText('No recent deploys found.'))
  const actions = page.getByRole('navigation', { name: 'Quick actions' }).getByRole('link')
  await expect.poll(() => actions.allTextContents()).toEqual(['Browse templates'])
  await misses(page.getByRole('region', { name: 'Get started' }))
})

test('sends feedback and keeps the input until sent', async () => {
  const { viewer } = await makeTeam(db)
  const page = stage.page({ token: viewer.token })
  await page.goto('/dashboard/servers')
  await page.getByRole('button', { name: /^Account / }).click()
  await page.getByRole('menuitem', { name: 'Send feedback' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send feedback' })
  await button(dialog, 'Send feedback').click()
  await sees(dialog.getByText('Fill in this field.'))
  await field(dialog, 'Message').fill('The log is quick.')
  await page.keyboard.press('Control+Enter')
  await sees(toast(page, 'Feedback sent. Thank you.'))
  await misses(dialog)
  const kept = await db.selectFrom('feedback').selectAll().where('user_id', '=', viewer.id).execute()
  expect(kept).toMatchObject([{ message: 'The log is quick.', kind: 'idea', page: '/dashboard/servers' }])
})

test('runs commands on applications and servers from the palette, as far as the role allows', async () => {
  const { workspace, admin, viewer } = await makeTeam(db)
  const server = await makeServer(stage.slipway.ctx, workspace, nowhere(), { status: 'ready', name: 'web-1' })
  const id = await makeApplication(db, workspace, server, { name: 'store' })
  const commands = async (token: string, typed: string) => {
    const page = stage.page({ token })
    await page.goto('/dashboard')
    await sees(heading(page, 'Latest Deploys'))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(typed)
    return page
  }
  const option = (page: Awaited<ReturnType<typeof commands>>, name: string) =>
    page.getByRole('option', { name })

  await sees(option(await commands(viewer.token, 'store'), 'Logs of store'))
  expect(await option(await commands(viewer.token, 'logs of store'), 'Deploy store').count()).toBe(0)
  await sees(option(await commands(admin.token, 'terminal on web'), 'Terminal on web-1'))
  await sees(option(await commands(admin.token, 'roll back store'), 'Roll back store'))
  await sees(option(await commands(admin.token, 'audit'), 'Audit log'))
  expect(await option(await commands(viewer.token, 'audit'), 'Audit log').count()).toBe(0)
  const page = await commands(admin.token, 'deploy store')
  await option(page, 'Deploy store').click()
  await isAt(page, `/dashboard/applications/${id}?dialog=deploy`)
  await sees(button(page.getByRole('dialog'), 'Deploy'))
})

test('names the server of applications that share their name in the palette', async () => {
  const { workspace, viewer } = await makeTeam(db)
  for (const name of ['fsn-1', 'nbg-1']) {
    const server = await makeServer(stage.slipway.ctx, workspace, nowhere(), { status: 'ready', name })
    await makeApplication(db, workspace, server, { name: 'store' })
    await makeApplication(db, workspace, server, { name: `only-${name}` })
  }
  const page = stage.page({ token: viewer.token })
  await page.goto('/dashboard')
  await sees(heading(page, 'Latest Deploys'))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('store')
  await sees(page.getByRole('option', { name: 'store on fsn-1', exact: true }))
  await sees(page.getByRole('option', { name: 'store on nbg-1', exact: true }))
  await page.getByRole('combobox').fill('only')
  await sees(page.getByRole('option', { name: 'only-fsn-1', exact: true }))
})
