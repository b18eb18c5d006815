import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { containerLogSource, type FeedState, openLogFeed } from '../../console/areas/logs/feed/log-feed.ts'
import { createLogStore } from '../../console/areas/logs/feed/log-store.ts'

/** The streams that were opened; a test decides what becomes of them. */
const streams: EventTarget[] = []

class PretendStream extends window.EventTarget {
  constructor() {
    super()
    streams.push(this)
  }
  close() {}
}

/** Answer the waiting requests for the reason of a refusal, and for a ticket if they are held. */
const questions: ((status: number) => void)[] = []
const tickets: ((status: number) => void)[] = []
let holdsTickets = false

beforeEach(() => {
  const failure = { error: 'It does not answer.', code: 'away' }
  const answer = (status: number) =>
    new Response(JSON.stringify(status === 200 ? { ticket: 'any' } : failure), { status })
  const wait = (waiting: typeof questions) =>
    new Promise<Response>((resolve) => waiting.push((status) => resolve(answer(status))))
  localStorage.setItem('token', 'slp_any')
  vi.stubGlobal('EventSource', PretendStream)
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.startsWith('/v1/stream-tickets')) return wait(questions)
    return holdsTickets ? wait(tickets) : answer(200)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
  streams.length = 0
  questions.length = 0
  tickets.length = 0
  holdsTickets = false
})

const stream = (number: number) =>
  vi.waitFor(() => {
    const found = streams[number]
    if (!found) throw new Error('It is not opened yet.')
    return found
  })

function openFeed() {
  const states: FeedState[] = []
  const request = { source: containerLogSource('srv_1', 'c1'), since: undefined, tail: 1000 }
  const feed = openLogFeed(request, createLogStore(), (state) => states.push(state))
  return { feed, last: () => states.at(-1) }
}

test.each([502, 404])('ignores why a stream was refused once it is open (status %i)', async (status) => {
  const { feed, last } = openFeed()
  ;(await stream(0)).dispatchEvent(new Event('error'))
  expect(last()).toEqual({ kind: 'lost' })
  ;(await stream(1)).dispatchEvent(new Event('open'))
  expect(last()).toEqual({ kind: 'live' })
  expect(questions).toHaveLength(1)
  questions[0]?.(status)
  await new Promise(setImmediate)
  expect(last()).toEqual({ kind: 'live' })
  feed.stop()
})

test('says why a stream is refused', async () => {
  const { feed, last } = openFeed()
  ;(await stream(0)).dispatchEvent(new Event('error'))
  await vi.waitFor(() => expect(questions).toHaveLength(1))
  questions[0]?.(502)
  await vi.waitFor(() => expect(last()).toEqual({ kind: 'lost', why: 'It does not answer.' }))
  feed.stop()
})

test('keeps the stream of the later of two attempts that overlap', async () => {
  const { feed, last } = openFeed()
  const first = await stream(0)
  holdsTickets = true
  first.dispatchEvent(new Event('error'))
  await vi.waitFor(() => expect(tickets).toHaveLength(1))
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(tickets).toHaveLength(2))
  tickets[1]?.(200)
  ;(await stream(1)).dispatchEvent(new Event('open'))
  tickets[0]?.(502)
  await new Promise(setImmediate)
  expect(last()).toEqual({ kind: 'live' })
  feed.stop()
})
