import { Secret, TOTP } from 'otpauth'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { createApiToken } from '../contract/api-tokens.ts'
import * as auth from '../contract/auth.ts'
import { replaceLabels } from '../contract/application-entries.ts'
import { createApplication, getApplication, updateApplication } from '../contract/applications.ts'
import { createCloudToken } from '../contract/cloud-tokens.ts'
import { getCommand } from '../contract/commands.ts'
import { deployApplication } from '../contract/deployments.ts'
import { createStreamTicket } from '../contract/live.ts'
import { listAccountServers } from '../contract/providers.ts'
import * as user from '../contract/user.ts'
import { getHook, receiveEvent } from '../contract/webhooks.ts'
import { inviteMember } from '../contract/workspaces.ts'
import { startSlipway } from './support/stages/context.ts'
import { makeCommand, makeServer, makeTeam, nowhere } from './support/factories/factories.ts'
import { startFakeHetzner } from './support/fakes/clouds/hetzner.ts'
import { startFakeGitHub } from './support/fakes/github.ts'
import { comeBack, finish } from './support/clients/from-github.ts'
import { startMailbox } from './support/fakes/mailbox.ts'

const [mailbox, github, hetzner] = [await startMailbox(), await startFakeGitHub(), await startFakeHetzner()]
const outside = { SMTP_URL: mailbox.url, ...github.env, ...hetzner.env }
const slipway = await startSlipway({ ...outside, LOG_LEVEL: 'debug' })
slipway.work()
afterAll(async () => {
  await slipway.close()
  await Promise.all([mailbox.close(), github.close(), hetzner.close()])
})

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
    slipway.db,
  )
  const texts = rows.map(({ name }) =>
    sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(slipway.db),
  )
  return (await Promise.all(texts)).flatMap((table) => table.rows.map(({ row }) => row)).join('\n')
}

test('keeps passwords, tokens, links, codes and secrets out of the log and the database', async () => {
  const used = new Set<string>()
  const secret = (value: string) => {
    used.add(value)
    return value
  }
  const email = 'ada@example.com'
  const password = secret('first secret password')
  await slipway.ok(auth.signUp, { body: { organisation: 'Docks', email, password } })
  const verify = secret((await mailbox.next(email)).token)
  await slipway.ok(auth.verifyEmail, { body: { token: verify, password } })
  const wrong = secret('a wrong secret password')
  await slipway.refused(auth.logIn, { body: { email, password: wrong } }, 401)
  const token = secret((await slipway.ok(auth.logIn, { body: { email, password } })).access_token)

  const begun = await slipway.ok(user.startTwoFactor, { token, body: { password } })
  secret(begun.secret)
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
  const confirmed = await slipway.ok(user.confirmTwoFactor, { token, body: { code: code(0) } })
  for (const recovery of confirmed.recovery_codes) {
    secret(recovery)
    secret(recovery.replaceAll('-', ''))
  }
  const otp = confirmed.recovery_codes[0]
  secret((await slipway.ok(auth.logIn, { body: { email, password, otp } })).access_token)

  const headers = { 'idempotency-key': 'once' }
  const made = await slipway.ok(createApiToken, { token, body: { name: 'ci' }, headers })
  secret(made.token)
  secret((await slipway.ok(createStreamTicket, { token: made.token })).ticket)
  const guest = 'guest@example.com'
  const { invite } = await slipway.ok(inviteMember, {
    token,
    body: { email: guest },
    headers: { 'idempotency-key': 'twice' },
  })
  const copied = secret(new URL(invite.url ?? '').searchParams.get('token') ?? '')
  const mailed = secret((await mailbox.next(guest)).token)
  const theirs = secret('second secret password')
  await slipway.refused(auth.join, { body: { token: copied, email: 'x@example.com', password: theirs } }, 404)
  await slipway.ok(auth.join, { body: { token: mailed, email: guest, password: theirs } })

  await slipway.ok(auth.forgotPassword, { body: { email: guest } })
  const reset = secret((await mailbox.next(guest, 2)).token)
  const next = secret('third secret password')
  await slipway.ok(auth.resetPassword, { body: { token: reset, password: next } })

  github.addAccount('octocat')
  const came = await comeBack(slipway, github, 'octocat')
  secret(came.body['code'] ?? '')
  secret(came.body['state'] ?? '')
  secret(came.headers.cookie.slice('slipway_github='.length))
  const finished = await finish(slipway, came)
  secret(finished.query.code)
  const signedIn = await slipway.ok(auth.exchangeCode, finished)
  secret(signedIn.token.token)
  secret(github.env.GITHUB_CLIENT_SECRET)

  const keep = (name: string) => ({
    token,
    body: { name, provider: 'hetzner', token: secret(hetzner.addToken()) },
    headers: { 'idempotency-key': name },
  })
  await slipway.ok(createCloudToken, keep('Cloud'))
  const listed = { token, params: { p: 'hetzner' }, body: { api_key: secret(hetzner.addToken()) } }
  await slipway.ok(listAccountServers, listed)
  hetzner.revoke(listed.body.api_key)
  await slipway.refused(listAccountServers, listed, 422)
  hetzner.down('cut')
  await slipway.refused(createCloudToken, keep('Away'), 502)

  // Internal errors must not reveal them either.
  await slipway.ctx.pool.query('alter table sessions rename to gone')
  await slipway.call(auth.logIn.key, { body: { email: guest, password: next } })
  await slipway.ctx.pool.query('alter table gone rename to sessions')
  expect(slipway.lines.join('\n')).toContain('Failed to handle a request')
  await vi.waitFor(async () =>
    expect(await slipway.db.selectFrom('jobs').select('id').where('state', '!=', 'done').execute()).toEqual(
      [],
    ),
  )

  expect(used.size).toBeGreaterThan(30)
  expect([...used].filter((value) => value.length < 8)).toEqual([])
  const [log, rows] = [slipway.lines.join('\n'), await dump()]
  expect(rows).toContain(email)
  expect([...used].filter((value) => log.includes(value) || rows.includes(value))).toEqual([])
})

test('stores no readable secret of applications, commands and deliveries', async () => {
  const { ctx, db } = slipway
  const { workspace, admin } = await makeTeam(db)
  const { token } = admin
  const server = await makeServer(ctx, workspace, nowhere())
  const used: string[] = []
  const canary = (where: string) => {
    used.push(`canary-${where}`)
    return `canary-${where}`
  }
  const command = ['serve', '--password', canary('application-command')]
  const body = {
    name: 'shop',
    server_id: server,
    source: { type: 'docker_image', image: 'rig/busybox:latest' },
    command,
    labels: [{ key: 'auth', value: canary('label') }],
    env: [{ key: 'TOKEN', value: canary('variable') }],
    generated_address: false,
  }
  const { application } = await slipway.ok(createApplication, { token, body })
  const params = { id: application.id }
  const labels = [{ key: 'auth', value: canary('changed-label') }]
  await slipway.ok(replaceLabels, { token, params, body: { labels } })
  command.push(canary('changed-command'))
  await slipway.ok(updateApplication, { token, params, body: { command } })
  await slipway.ok(deployApplication, { token, params, body: {} })

  const { hook } = await slipway.ok(getHook, { token, params })
  const pressed = await slipway.call(receiveEvent.key, {
    params: { hook: hook.url.split('/').at(-1) ?? '' },
    headers: { secret: hook.secret },
    raw: canary('delivery'),
  })
  expect(pressed.status).toBe(202)
  const ran = await makeCommand(ctx, workspace, server, {
    command: `mysql -p${canary('command')}`,
    output: `${canary('output')}\n`,
  })

  const rows = await dump()
  expect(rows).toContain('rig/busybox:latest')
  expect(used.filter((value) => rows.includes(value))).toEqual([])
  // Authorized users still see them.
  const shown = await slipway.ok(getApplication, { token, params })
  expect(shown.application.command).toEqual(command)
  const found = await slipway.ok(getCommand, { token, params: { id: server, command_id: ran } })
  expect(found.command).toMatchObject({ command: 'mysql -pcanary-command', output: 'canary-output\n' })
})
