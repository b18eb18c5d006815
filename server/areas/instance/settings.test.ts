import { afterAll, describe, expect, test, vi } from 'vitest'
import { getAuthOptions, signUp } from '../../../contract/auth.ts'
import * as contract from '../../../contract/instance.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeInstanceOwner, makeTeam, password } from '../../../test/support/factories/factories.ts'
import { startMailbox } from '../../../test/support/fakes/mailbox.ts'
import { connectBus } from '../../platform/bus.ts'
import { createSettingsCache, getSettings, storeSetting } from '../../settings.ts'

const mailbox = await startMailbox()
const slipway = await startSlipway({ SIGNUP: '', OUTBOUND_NETWORKS: '192.0.2.0/24' })
const { ctx, db } = slipway
const { owner } = await makeTeam(db)
await makeInstanceOwner(db, owner)
const { token } = owner
afterAll(async () => {
  await slipway.close()
  await mailbox.close()
})

const put = (body: object) => slipway.ok(contract.updateInstanceSettings, { token, body })

test('shows the source of each setting and prefers the environment', async () => {
  const { settings } = await slipway.ok(contract.getInstanceSettings, { token })
  expect(settings).toMatchObject({
    signup: { value: 'invite', source: 'default', variable: 'SIGNUP' },
    allowed_networks: { value: ['192.0.2.0/24'], source: 'environment', variable: 'OUTBOUND_NETWORKS' },
    workspaces_per_user: { value: 5, source: 'default', variable: null },
  })
  const got = await slipway.refused(
    contract.updateInstanceSettings,
    { token, body: { allowed_networks: [], workspaces_per_user: 7 } },
    409,
    'set_in_environment',
  )
  expect(got.text).toContain('OUTBOUND_NETWORKS is set as an environment variable')
  expect((await getSettings(ctx)).limits.workspacesPerUser).toBe(5)
})

test('applies a change immediately in all processes and restores the default with null', async () => {
  const bus = connectBus(slipway.database.connection, ctx.log)
  await bus.ready()
  const elsewhere = { ...ctx, settingsCache: createSettingsCache(bus) }
  expect((await getSettings(elsewhere)).signup).toBe('invite')
  await bus.ready()
  const body = { organisation: 'Docks', email: 'new@example.com', password }
  await slipway.refused(signUp, { body }, 403, 'signup_closed')
  await put({ signup: 'open' })
  expect((await slipway.ok(getAuthOptions)).signup).toBe('open')
  await slipway.ok(signUp, { body })
  await vi.waitFor(async () => expect((await getSettings(elsewhere)).signup).toBe('open'))
  expect((await getSettings(ctx)).privateServers).toBe(true)
  const { settings } = await put({ signup: null })
  expect(settings.signup).toMatchObject({ value: 'invite', source: 'default' })
  await bus.close()
})

test.each([
  { signup: 'closed' },
  { smtp_url: 'http://mail' },
  { smtp_url: 'smtp://mail?sendmail=true&path=/bin/sh&args=-c&args=id' },
  { smtp_url: 'smtp://mail?disableFileAccess=false' },
  { smtp_url: 'smtp://mail?logger=true&debug=true' },
  { smtp_url: 'smtp://mail%20host' },
  { smtp_url: 'smtp://%ff@mail' },
  { smtp_url: 'smtp://mail/%ff' },
  { acme_url: 'ftp://x' },
  { allowed_networks: ['10.0.0.0/99'] },
  { workspaces_per_user: 0 },
  { secret_key: 'x' },
])('rejects %j', async (body) => {
  await slipway.refused(contract.updateInstanceSettings, { token, body }, 422)
})

describe('outgoing mail', () => {
  test('follows the settings, and encrypts and hides the SMTP password', async () => {
    expect(ctx.mail).toBeUndefined()
    await slipway.refused(contract.testInstanceMail, { token }, 409, 'no_mail_server')
    const secret = 'hunter2-of-the-mail-server'
    const url = mailbox.url.replace('smtp://', `smtp://user:${secret}@`)
    const { settings } = await put({ smtp_url: url, mail_from: 'Slipway <slipway@example.com>' })
    expect(settings.smtp_url.value).toMatch(/^smtp:\/\/user:.*@127\.0\.0\.1:\d+$/)
    const rows = JSON.stringify(await db.selectFrom('instance_settings').selectAll().execute())
    const audit = JSON.stringify(await db.selectFrom('instance_events').selectAll().execute())
    for (const text of [rows, audit, JSON.stringify(settings), slipway.lines.join('\n')])
      expect(text).not.toContain(secret)
    await put({ smtp_url: mailbox.url })
    expect(await slipway.ok(contract.testInstanceMail, { token })).toMatchObject({ to: owner.email })
    expect((await mailbox.next(owner.email)).subject).toBe('Test email · Slipway')
  })

  test('ignores an invalid stored mail server', async () => {
    await storeSetting(ctx, db, 'smtp_url', 'smtp://%ff@mail?sendmail=true')
    const { settings } = await put({ signup: null })
    expect(settings.smtp_url).toMatchObject({ value: null, source: 'default' })
    expect(ctx.mail).toBeUndefined()
  })

  test('returns the error of the mail server when a test mail fails', async () => {
    await put({ smtp_url: 'smtp://127.0.0.1:1' })
    const got = await slipway.refused(contract.testInstanceMail, { token }, 502, 'mail_failed')
    expect(got.text).toMatch(/Could not send the email through 127\.0\.0\.1:1: .*ECONNREFUSED/)
  })
})
