import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getImportScript } from '../../contract/imports.ts'
import { startSlipway, type TestSlipway } from '../../test/support/stages/context.ts'
import { importTokenInvalid } from '../errors.ts'

let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway()
})
afterAll(() => slipway.close())

const asCurl = { accept: '*/*' }
const ask = (token: string, headers: Record<string, string>, address?: string) =>
  slipway.call(getImportScript.key, { params: { token }, headers, address })
const inShell = (script: string) => {
  const { status, stdout, stderr } = spawnSync('sh', { input: script, encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('shows the reason in a shell that runs the piped script', async () => {
  const got = await ask('imp_nobody-made-this', asCurl)
  expect(got.status).toBe(404)
  expect(got.headers['content-type']).toBe('text/x-shellscript; charset=utf-8')
  const sentence = importTokenInvalid().message
  expect(inShell(got.text)).toEqual({ status: 1, stdout: '', stderr: `${sentence}\n` })
})

test('shows invalid fields as well', async () => {
  const got = await ask('a\u0007b', asCurl)
  expect(got.status).toBe(422)
  expect(inShell(got.text).stderr).toBe('Must not contain control characters.\n')
})

test('shows rate limits as well', async () => {
  const address = '198.51.100.7'
  for (let call = 0; call < getImportScript.limit; call++) await ask('imp_x', asCurl, address)
  const got = await ask('imp_x', asCurl, address)
  expect(got).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
  expect(inShell(got.text)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^Too many attempts\. /),
  })
})

test.each<Record<string, string>>([{}, { accept: 'application/json' }, { accept: 'text/html, */*;q=0.8' }])(
  'with %o responds with a regular problem',
  async (headers) => {
    const got = await slipway.refused(
      getImportScript,
      { params: { token: 'imp_x' }, headers },
      404,
      'import_token_invalid',
    )
    expect(got.headers['content-type']).toBe('application/json; charset=utf-8')
  },
)

test('responds with scripts only to script endpoints', async () => {
  const got = await slipway.call('GET /v1/servers', { headers: asCurl })
  expect(got).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
})
