import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectProblem } from './support/clients/client.ts'
import { startSlipway, type TestSlipway } from './support/stages/context.ts'

let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway()
})
afterAll(() => slipway.close())

/** Sends raw bytes over a real connection. */
async function talk(words: string | Buffer): Promise<string> {
  const { port } = new URL(await slipway.listen())
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(words)
  return text(socket.on('error', () => {}))
}

test.each([
  ['that is not HTTP', 'hello\r\n\r\n', 400],
  [
    'whose headers are too large',
    `GET /v1/health HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(50_000)}\r\n\r\n`,
    431,
  ],
  ['with a null byte in a header', 'GET /v1/health HTTP/1.1\r\nhost: x\r\nx: \0\r\n\r\n', 400],
  [
    'with two lengths',
    'POST /v1/auth/logout HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    400,
  ],
])('responds with a problem to a request %s', async (_, words, status) => {
  const [head = '', body = ''] = (await talk(words)).split('\r\n\r\n')
  expect(head).toMatch(`HTTP/1.1 ${status} `)
  expectProblem({
    status,
    text: body,
    body: JSON.parse(body),
    headers: { 'content-type': 'application/json' },
  })
})

test('aborts a chunked body of 10 MB without a length', async () => {
  const url = await slipway.listen()
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  const asking = request(`${url}/v1/auth/email/login`, { method: 'POST', headers })
  const [response] = await Promise.all([
    new Promise<IncomingMessage>((resolve) => asking.once('response', resolve).on('error', () => {})),
    ...Array.from({ length: 10 }, async () => asking.write('x'.repeat(1_000_000))),
  ])
  const answer = `${response.statusCode} ${await text(response)}`
  asking.destroy()
  expect(answer).toMatch(/^413 .*too_large/)
})
