import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../contract/endpoint.ts'
import { idInput } from '../../contract/shared/ids.ts'
import { logOut } from '../../contract/auth.ts'
import { createStreamTicket } from '../../contract/live.ts'
import { changeRole, removeMember } from '../../contract/workspaces.ts'
import { expectProblem } from '../../test/support/clients/client.ts'
import { startSlipway, type TestSlipway } from '../../test/support/stages/context.ts'
import { makeApiToken, makeTeam } from '../../test/support/factories/factories.ts'
import { urlOf } from '../../test/support/programs/port.ts'
import { joinSocket, openSocket } from '../../test/support/clients/sockets.ts'
import { newId } from '../platform/ids.ts'
import { notFound } from '../errors.ts'
import { route, type Socket } from '../route.ts'
import { sendProblem } from './problems.ts'
import { registerSockets } from './sockets.ts'

const parrot = endpoint('GET /v1/parrots/{id}', {
  access: 'containers.shell',
  summary: 'Says it again',
  params: z.object({ id: idInput('server') }),
  query: z.strictObject({ token: z.string().optional(), loud: z.enum(['yes', 'no']).optional() }),
  kind: 'socket',
  reply: z.object({ type: z.literal('said'), text: z.string() }),
})

const here = newId('server')
const parrotRoute = route(parrot, async (_, { params }) => {
  if (params.id !== here) throw notFound('This parrot')
  return (socket: Socket<z.input<typeof parrot.reply>>) => {
    socket.onText((said) => {
      if (said === 'rude') socket.refuse()
      else if (said === 'secret') {
        const message = { type: 'said' as const, text: said, password: 'hunter2' }
        socket.sendMessage(message)
      } else if (said === 'fail') throw new Error('It choked.')
      else socket.sendMessage({ type: 'said', text: said })
    })
    socket.onDismiss((reason) => socket.sendMessage({ type: 'said', text: reason }))
    socket.onClose((left) => goodbyes.push(left))
  }
})
const goodbyes: boolean[] = []

let slipway: TestSlipway
let app: FastifyInstance
let url: string
/** Milliseconds to wait, long enough for a busy machine. */
const quick = 2_000
beforeAll(async () => {
  slipway = await startSlipway({ CORS_ORIGINS: 'https://elsewhere.example' })
})
afterAll(() => slipway.close())

async function listen(beat?: number) {
  app = fastify()
  app.setErrorHandler((error, request, reply) => sendProblem(slipway.ctx.log, error, request, reply))
  const mount = await registerSockets(app, slipway.ctx, beat)
  mount(parrotRoute)
  app.post('/v1/plain', (request) => ({ heard: request.body }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  url = urlOf(app.server)
}
afterEach(() => app.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Creates an authorized user. */
async function arrive(beat?: number) {
  await listen(beat)
  const team = await makeTeam(slipway.db)
  return { ...team, place: `${url}/v1/parrots/${here}` }
}

describe('a WebSocket', () => {
  test('accepts a token in the header or a ticket in the query, and carries messages both ways', async () => {
    const { member, place } = await arrive()
    const { ticket } = await slipway.ok(createStreamTicket, { token: member.token })
    for (const socket of [
      await joinSocket(place, bearer(member.token)),
      await joinSocket(`${place}?token=${ticket}`),
    ]) {
      socket.sendRaw('hello')
      expect(await socket.message('said')).toEqual({ type: 'said', text: 'hello' })
    }
  })

  test('drops fields that the schema does not name', async () => {
    const { member, place } = await arrive()
    const socket = await joinSocket(place, bearer(member.token))
    socket.sendRaw('secret')
    expect(await socket.message('said')).toEqual({ type: 'said', text: 'secret' })
  })

  test('is refused like any other request', async () => {
    const { member, viewer, place } = await arrive()
    const tries = [
      [place, {}, 401],
      [place, bearer('slp_nobody'), 401],
      [place, bearer(viewer.token), 403],
      [`${url}/v1/parrots/${newId('server')}`, bearer(member.token), 404],
      [`${place}?loud=maybe`, bearer(member.token), 422],
      [`${place}?nonsense=1`, bearer(member.token), 422],
    ] as const
    for (const [at, headers, status] of tries) {
      const { refused } = await openSocket(at, headers)
      expect(refused?.status).toBe(status)
      if (refused) expectProblem(refused)
    }
  })

  test('responds to a plain request with an explanation', async () => {
    const { member, place } = await arrive()
    const answer = await fetch(place, { headers: bearer(member.token) })
    expect(answer.headers.get('upgrade')).toBe('websocket')
    expect([answer.status, await answer.json()]).toMatchObject([426, { code: 'upgrade_needed' }])
    expect((await fetch(place)).status).toBe(401)
    expect((await fetch(place, { method: 'HEAD', headers: bearer(member.token) })).status).toBe(404)
  })

  test('accepts our own pages and configured origins', async () => {
    const { member, place } = await arrive()
    const from = (origin: string) => openSocket(place, { ...bearer(member.token), origin })
    for (const origin of ['http://slipway.test', url, 'https://elsewhere.example'])
      expect((await from(origin)).refused).toBeUndefined()
    for (const origin of ['http://evil.example', 'null', 'http://slipway.test.evil.example']) {
      const { refused } = await from(origin)
      expect(refused).toMatchObject({ status: 403, body: { code: 'foreign_page' } })
    }
  })

  test('is closed after too much data, binary data or a violation', async () => {
    const { member, place } = await arrive()
    const other = await joinSocket(place, bearer(member.token))
    for (const [sent, code] of [
      ['x'.repeat(200_000), 1009],
      [Buffer.from('bytes'), 1008],
      ['rude', 1008],
      ['fail', 1011],
    ] as const) {
      const socket = await joinSocket(place, bearer(member.token))
      socket.sendRaw(sent)
      expect(await socket.closed()).toBe(code)
    }
    other.sendRaw('still here')
    await other.message('said')
  })

  test('distinguishes a closed from a lost connection', async () => {
    const { member, place } = await arrive()
    goodbyes.length = 0
    ;(await joinSocket(place, bearer(member.token))).close()
    await expect.poll(() => goodbyes).toEqual([true])
    ;(await joinSocket(place, bearer(member.token))).drop()
    await expect.poll(() => goodbyes).toEqual([true, false])
    ;(await joinSocket(place, bearer(member.token))).close(4000)
    await expect.poll(() => goodbyes).toEqual([true, false, false])
  })

  test('is dropped when the client is silent, and not before', async () => {
    const { member, place } = await arrive(quick)
    goodbyes.length = 0
    const lively = await joinSocket(place, bearer(member.token))
    const silent = await joinSocket(place, bearer(member.token))
    silent.stall()
    await expect.poll(() => goodbyes).toEqual([false])
    lively.sendRaw('still here')
    await lively.message('said')
  })

  test('ends on shutdown, even when the client does not respond', async () => {
    const { member, place } = await arrive()
    const lively = await joinSocket(place, bearer(member.token))
    const silent = await joinSocket(place, bearer(member.token))
    silent.stall()
    const closing = app.close()
    expect(await lively.closed()).toBe(1012)
    await closing
  })
})

describe('the user of a socket', () => {
  test('loses it when the role is lowered, after removal and on logout', async () => {
    const { owner, member, admin, place } = await arrive()
    const lowered = await joinSocket(place, bearer(member.token))
    const removed = await joinSocket(place, bearer(admin.token))
    const left = await joinSocket(place, bearer(owner.token))
    const { token } = owner
    await slipway.ok(changeRole, { token, params: { id: member.member }, body: { role: 'viewer' } })
    expect(await lowered.message('said')).toMatchObject({ text: expect.stringMatching(/^Your role/) })
    expect(await lowered.closed()).toBe(1000)
    await slipway.ok(removeMember, { token, body: { member_id: admin.member } })
    expect(await removed.message('said')).toMatchObject({ text: expect.stringMatching(/workspace/) })
    expect(left.received).toEqual([])
    await slipway.ok(logOut, { token })
    expect(await left.message('said')).toMatchObject({ text: expect.stringMatching(/^Your session/) })
  })

  test('loses it with an expired token', async () => {
    const { owner, workspace, place } = await arrive(quick)
    const { id, token } = await makeApiToken(slipway.db, workspace, owner, { role: 'member' })
    const socket = await joinSocket(place, bearer(token))
    await slipway.db.updateTable('api_tokens').set({ expires_at: new Date() }).where('id', '=', id).execute()
    expect(await socket.message('said')).toMatchObject({ text: expect.stringMatching(/^Your session/) })
  })
})

describe('a request that offers another protocol', () => {
  const offering = (lines: string[], body = '') =>
    [...lines, 'Host: x', 'Connection: Upgrade, close', '', body].join('\r\n')

  test('is answered with HTTP/1.1, including its body', async () => {
    await listen()
    const body = '{"name":"Ada"}'
    for (const protocol of ['h2c', 'websocket']) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      await once(socket, 'connect')
      const type = ['Content-Type: application/json', `Content-Length: ${body.length}`]
      socket.write(offering(['POST /v1/plain HTTP/1.1', `Upgrade: ${protocol}`, ...type], body))
      const answer = await text(socket)
      expect(answer).toMatch(/^HTTP\/1.1 200/)
      expect(answer).toContain('{"heard":{"name":"Ada"}}')
    }
  })

  test('on the URL of a socket is answered with an explanation', async () => {
    const { member, place } = await arrive()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const path = new URL(place).pathname
    socket.write(offering([`GET ${path} HTTP/1.1`, 'Upgrade: h2c', `Authorization: Bearer ${member.token}`]))
    expect(await text(socket)).toMatch(/^HTTP\/1.1 426/)
  })
})
