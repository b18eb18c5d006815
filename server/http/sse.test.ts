import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { openStream } from '../../test/support/clients/streams.ts'
import { sendEvents } from './sse.ts'

async function* events(ended: Promise<void>) {
  yield { id: '', data: { type: 'first' } }
  await ended
}

/** Opens a stream with one event, and a heartbeat every 20 ms while allowed. */
async function follow(mayGoOn: () => boolean) {
  const app = Fastify()
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  app.get('/', (request, reply) => {
    request.raw.once('close', end)
    return sendEvents(reply, events(ended), async () => mayGoOn(), 20)
  })
  onTestFinished(() => app.close())
  return openStream(await app.listen({ port: 0, host: '127.0.0.1' }))
}

test('sends heartbeats as named events', async () => {
  const stream = await follow(() => true)
  await expect.poll(() => stream.text()).toMatch(/(event: beat\ndata: \{\}\n\n){2}/)
  expect(stream.heard.map(({ data }) => data)).toEqual([{ type: 'first' }])
  expect(stream.ended).toBe(false)
  stream.close()
})

test('ends with the heartbeat that detects lost access', async () => {
  const stream = await follow(() => false)
  await stream.untilEnded()
})

test('serializes shared events once', async () => {
  let times = 0
  const data = { toJSON: () => ({ type: 'first', times: ++times }) }
  const app = Fastify()
  const shared = { id: '7', data, shared: true as const }
  app.get('/', (_, reply) =>
    sendEvents(
      reply,
      (async function* () {
        yield shared
      })(),
      async () => true,
    ),
  )
  onTestFinished(() => app.close())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const stream of [await openStream(url), await openStream(url)]) {
    await stream.untilEnded()
    expect(stream.heard).toEqual([{ id: '7', data: { type: 'first', times: 1 } }])
  }
})
