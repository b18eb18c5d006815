import { createHmac } from 'node:crypto'
import type { StripeEvent } from './state.ts'

/** One delivery of an event, and what came back. */
export interface Sent {
  id: string
  type: string
  /** 0 where nobody answered. */
  status: number
  answer: string
}

const signature = (secret: string, timestamp: number, body: string) =>
  `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`

const written = (event: object) => JSON.stringify(event, null, 2)

/** After these it is tried again, and then no more. */
const retriesMs = [50, 150, 400]

/** Delivers events to one address, in the background and in the order in which they happened. */
export function makeWebhooks(secret: string) {
  const sent: Sent[] = []
  const held: StripeEvent[] = []
  const events = new Map<string, StripeEvent>()
  const lost = new Set<string>()
  const going = new Set<Promise<unknown>>()
  let to: string | undefined
  let types: string[] | undefined
  let isHeld = false
  let last: Promise<unknown> = Promise.resolve()

  async function post(
    event: { id?: string; type?: string },
    options: {
      secret?: string
      timestamp?: number
      headers?: Record<string, string>
      body?: string
      to?: string
    } = {},
  ): Promise<Sent> {
    const body = options.body ?? written(event)
    // The real time, since whoever checks it looks at a real clock.
    const timestamp = options.timestamp ?? Math.floor(Date.now() / 1000)
    const there = options.to ?? to
    if (there === undefined) throw new Error('Webhooks have no address; give one with sendTo.')
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': signature(options.secret ?? secret, timestamp, body),
      ...options.headers,
    }
    const facts = { id: event.id ?? '', type: event.type ?? '' }
    const one = await fetch(there, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
      .then(async (answered) => ({ ...facts, status: answered.status, answer: await answered.text() }))
      .catch((error: unknown) => ({ ...facts, status: 0, answer: String(error) }))
    sent.push(one)
    return one
  }

  const wasTaken = ({ status }: Sent) => status >= 200 && status < 300

  async function deliver(event: StripeEvent, tries = 0) {
    if (to === undefined || wasTaken(await post(event))) {
      event.pending_webhooks = 0
      return
    }
    const wait = retriesMs[tries]
    // Others do not wait for it.
    if (wait !== undefined)
      follow(new Promise((resolve) => setTimeout(resolve, wait)).then(() => deliver(event, tries + 1)))
  }

  function follow(work: Promise<unknown>) {
    going.add(work)
    void work.finally(() => going.delete(work))
  }

  function enqueue(event: StripeEvent) {
    last = last.then(() => deliver(event))
    follow(last)
  }

  return {
    /** All that was delivered or tried to be, in order. */
    sent,
    /** From now on events go there: all, or those of these types. */
    sendTo(url: string | undefined, only?: string[]) {
      to = url
      types = only
    },
    tell(event: StripeEvent) {
      events.set(event.id, event)
      const isWanted = to !== undefined && (types?.includes(event.type) ?? true)
      if (!isWanted || lost.has('*') || lost.has(event.type)) return
      if (isHeld) held.push(event)
      else enqueue(event)
    },
    /** Keeps what happens from now on, until `release`. */
    hold: () => void (isHeld = true),
    held,
    release({ reversed = false } = {}) {
      isHeld = false
      const kept = held.splice(0)
      for (const event of reversed ? kept.toReversed() : kept) enqueue(event)
    },
    /** Such events, or all, never arrive, until `loseNone`. */
    lose: (type = '*') => void lost.add(type),
    loseNone: () => lost.clear(),
    /** Delivers one again, as one can from the dashboard; also one that was lost. */
    async retry(id: string): Promise<Sent> {
      const event = events.get(id)
      if (!event) throw new Error(`There is no event ${id}.`)
      return post(event)
    },
    /** Delivers everything again that was delivered. */
    async repeat() {
      const ids = [...new Set(sent.filter(wasTaken).map(({ id }) => id))]
      for (const event of ids.map((id) => events.get(id))) if (event) enqueue(event)
      return settled()
    },
    /** Posts anything, signed with another secret or at another time if told so; a header given replaces it. */
    post,
    /** The signature that an event has when it is posted now. */
    sign: (event: object) => signature(secret, Math.floor(Date.now() / 1000), written(event)),
    settled,
  }

  /** Nothing is on its way any more. */
  async function settled() {
    while (going.size > 0) await Promise.all(going)
  }
}
