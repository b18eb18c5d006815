import { readdir } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../test/support/programs/programs.ts'
import { readConfig } from './config.ts'
import { createApp } from './http/app.ts'
import { openContext } from './open.ts'
import { createLog } from './platform/log.ts'
import { longTest } from '../test/support/run/campaign.ts'

test('runs on the oldest supported PostgreSQL', async () => {
  const [oldest] = (await readdir('/usr/lib/postgresql')).sort()
  const env = { DATA_DIR: await temporaryFolder(), PG_BIN: `/usr/lib/postgresql/${oldest}/bin` }
  const { ctx, close } = await openContext(readConfig(env), createLog('error'))
  onTestFinished(close)
  const app = await createApp(ctx)
  onTestFinished(() => app.close())
  const call = async (method: 'GET' | 'POST', url: string, payload?: object, token = '') => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
  }

  const who = { email: 'ada@example.com', password: 'correct horse battery' }
  await call('POST', '/v1/auth/email/signup', { ...who, organisation: 'Acme' })
  const token = String((await call('POST', '/v1/auth/email/login', who)).body['access_token'])
  expect((await call('POST', '/v1/workspaces/invite', { email: 'bob@example.com' }, token)).status).toBe(201)
  expect((await call('POST', '/v1/api-tokens', { name: 'ci' }, token)).status).toBe(201)
  for (const path of [
    'user',
    'workspaces/members',
    'workspaces/invites',
    'servers',
    'deployments',
    'audit?q=ada',
  ])
    expect(await call('GET', `/v1/${path}`, undefined, token)).toMatchObject({ status: 200 })
})

longTest('refuses a key that does not match the database', async () => {
  const DATA_DIR = await temporaryFolder()
  const first = await openContext(readConfig({ DATA_DIR }), createLog('error'))
  await first.close()
  const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
  await expect(openContext(readConfig({ DATA_DIR, SECRET_KEY }), createLog('error'))).rejects.toThrow(
    /key that encrypted secrets in this database is missing/,
  )
})
