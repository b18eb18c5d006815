import { expect, test } from 'vitest'
import type { Id } from '../../contract/shared/ids.ts'
import { importServer } from '../../contract/imports.ts'
import { newKeyPair } from '../../server/remote/ssh/key-pair.ts'
import { makeServer, makeTeam, nowhere } from '../support/factories/factories.ts'
import { button, field, heading, isAt, misses, sees } from '../support/console/see.ts'
import { openConsole } from '../support/console/open-console.ts'
import { makeSetup } from '../worlds/world-servers.ts'

// No worker runs, so that setups stay as shown.
const stage = await openConsole({ OUTBOUND_NETWORKS: '127.0.0.0/8' })
const { ctx, db } = stage.slipway
const changesIn = (page: ReturnType<typeof stage.page>) =>
  page.getByRole('region', { name: 'Changes during setup' })
const server = (page: ReturnType<typeof stage.page>) => page.getByRole('combobox', { name: 'Server' })
const setupsOf = (server: Id<'server'>) =>
  db.selectFrom('setups').selectAll().where('server_id', '=', server).orderBy('id').execute()

test('shows what an import changes, and starts the setup of a server that waits for it', async () => {
  const { workspace, admin } = await makeTeam(db)
  const page = stage.page({ token: admin.token })
  await page.goto('/dashboard/import/servers')
  for (const name of [
    'Docker',
    'Docker Compose',
    'git',
    '80 and 443',
    'slipway-proxy',
    '.ssh/authorized_keys',
  ])
    await sees(changesIn(page).getByText(name, { exact: true }))
  const command = (await page.getByText(/^printf /).textContent()) ?? ''
  expect(command).toMatch(/ \| sh -s set-up$/)
  await sees(page.getByText(/^-s set-up also starts the setup\./))
  const token = /imp_[\w-]+/.exec(command)?.[0] ?? ''
  const body = { token, hostname: 'web', user: 'root', port: 1, host_keys: [newKeyPair('web').publicKey] }
  await stage.slipway.ok(importServer, { body, address: '127.0.0.1' })
  await sees(heading(page, 'Set up web'))
  const imported = await db
    .selectFrom('servers')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .executeTakeFirstOrThrow()
  expect(imported).toMatchObject({ status: 'pending', name: 'web' })
  expect(await setupsOf(imported.id)).toEqual([])
  await button(page, 'Set up').click()
  await sees(page.getByText('Setting up', { exact: true }))
  expect(await setupsOf(imported.id)).toMatchObject([{ status: 'queued', actor_name: admin.name }])
  await page.getByRole('link', { name: 'Deploy an application' }).click()
  await isAt(page, '/dashboard/applications/create')
})

test('asks for the setup together with the host key', async () => {
  const { workspace, admin } = await makeTeam(db)
  const id = await makeServer(ctx, workspace, nowhere(), {
    name: 'web-1',
    status: 'pending',
    host_keys: [],
    offered_host_key: newKeyPair('web').publicKey,
    username: 'deploy',
  })
  const page = stage.page({ token: admin.token })
  await page.goto(`/dashboard/import/servers?way=ssh&server=${id}`)
  await sees(button(page, 'Confirm and set up'))
  await sees(changesIn(page).getByText('Added to the docker group.'))
})

test('retries a failed setup on the import screen', async () => {
  const { workspace, admin } = await makeTeam(db)
  const reason = 'Port 80 is in use by nginx. Stop it, then set up again.'
  const failed = { name: 'web-2', status: 'failed', reason } as const
  const id = await makeServer(ctx, workspace, nowhere(), failed)
  await makeSetup(ctx, workspace, id, failed)
  const page = stage.page({ token: admin.token })
  await page.goto(`/dashboard/import/servers?way=ssh&server=${id}`)
  await sees(page.getByText(reason))
  await misses(page.getByRole('link', { name: 'Deploy an application' }))
  await button(page, 'Retry').click()
  await misses(page.getByText(reason))
  await sees(page.getByRole('link', { name: 'Deploy an application' }))
  expect((await setupsOf(id)).map(({ status }) => status)).toEqual(['queued'])
})

test('leads from the first server to the first application, deployed with one image name', async () => {
  const { workspace, admin, viewer } = await makeTeam(db)
  const page = stage.page({ token: admin.token })
  await page.goto('/dashboard')
  await sees(heading(page, 'Add your first server'))
  const given = { name: 'web-3', status: 'setting_up' } as const
  await makeServer(ctx, workspace, nowhere(), given)
  await page.goto('/dashboard/applications/create')
  await sees(server(page).getByText('web-3'))
  await button(page, 'Deploy').click()
  await sees(page.getByText('Enter an image name or choose an image from a server.'))
  await field(page, 'Image').fill('nginx:1.27')
  await sees(page.getByText('web-3 is being set up. The deployment waits until setup is done.'))
  await button(page, 'Deploy').click()
  await sees(page.getByRole('dialog', { name: 'Deployment of nginx' }))
  const made = await db
    .selectFrom('applications')
    .select(['name', 'image'])
    .where('workspace_id', '=', workspace)
    .execute()
  expect(made).toEqual([{ name: 'nginx', image: 'nginx:1.27' }])
  const reader = stage.page({ token: viewer.token })
  await reader.goto('/dashboard')
  await sees(heading(reader, `Welcome back, ${viewer.name}`))
  await misses(heading(reader, 'Add your first server'))
})

test('leaves the choice of several servers to the user, and takes the one of the link', async () => {
  const { workspace, admin } = await makeTeam(db)
  await makeServer(ctx, workspace, nowhere(), { name: 'web-4' })
  const id = await makeServer(ctx, workspace, nowhere(), { name: 'web-5' })
  const page = stage.page({ token: admin.token })
  await page.goto('/dashboard')
  await sees(heading(page, 'Deploy your first application'))
  await page.goto('/dashboard/applications/create')
  await sees(server(page).getByText('Choose a server'))
  await button(page, 'Deploy').click()
  await sees(page.getByText('Choose a server.'))
  await page.goto(`/dashboard/applications/create?server=${id}`)
  await sees(server(page).getByText('web-5'))
})

test('leads back from the first server to the application that was begun before it', async () => {
  const { workspace, admin } = await makeTeam(db)
  const page = stage.page({ token: admin.token })
  await page.goto('/dashboard/applications/create')
  await field(page, 'Image').fill('ghcr.io/acme/shop:2')
  await button(page, 'Deploy').click()
  await sees(page.getByText('No servers yet'))
  await page.getByRole('link', { name: 'Import server' }).click()
  await sees(heading(page, 'Import server'))
  const id = await makeServer(ctx, workspace, nowhere(), { name: 'web-6', status: 'setting_up' })
  await page.goto(`/dashboard/import/servers?way=ssh&server=${id}`)
  await page.getByRole('link', { name: 'Continue with your application' }).click()
  await sees(server(page).getByText('web-6'))
  await expect.poll(() => field(page, 'Image').inputValue()).toBe('ghcr.io/acme/shop:2')
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('shop')
})
