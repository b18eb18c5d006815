import { createHmac } from 'node:crypto'
import type { StripeEvent } from './state.ts'

/** One delivery of an event. */
export interface Delivery {
  id: string
  /** 0 without a response. */
  status: number
  answer: string
}

const sign = (secret: string, timestamp: number, body: string) =>
  `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`

const serialize = (event: object) => JSON.stringify(event, null, 2)

// Signatures have the real time, since receivers compare them with a real clock.
const realTime = () => Math.floor(Date.now() / 1000)

const isAccepted = ({ status }: Delivery) => status >= 200 && status < 300

const retriesMs = [50, 150, 400]

/** Delivers events to one endpoint, in the background and in order. */
export function createWebhooks(secret: string) {
  const sent: Delivery[] = []
  const held: StripeEvent[] = []
  const events = new Map<string, StripeEvent>()
  const inProgress = new Set<Promise<unknown>>()
  let endpoint: string | undefined
  let isHeld = false
  let isLost = false
  let last: Promise<unknown> = Promise.resolve()

  /** Posts an event, with another secret, time, header or body if given. */
  async function post(
    event: object & { id?: string; type?: string },
    options: { secret?: string; timestamp?: number; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Delivery> {
    if (endpoint === undefined) throw new Error('Webhooks have no endpoint; set one with sendTo.')
    const body = options.body ?? serialize(event)
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': sign(options.secret ?? secret, options.timestamp ?? realTime(), body),
        ...options.headers,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(60_000),
    }).catch(() => undefined)
    const answer = (await response?.text()) ?? ''
    const delivery = { id: event.id ?? '', status: response?.status ?? 0, answer }
    sent.push(delivery)
    return delivery
  }

  async function deliver(event: StripeEvent, tries = 0) {
    if (endpoint === undefined || isAccepted(await post(event))) {
      event.pending_webhooks = 0
      return
    }
    const ms = retriesMs[tries]
    // Other events do not wait for the retry.
    if (ms !== undefined)
      track(new Promise((resolve) => setTimeout(resolve, ms)).then(() => deliver(event, tries + 1)))
  }

  function track(work: Promise<unknown>) {
    inProgress.add(work)
    void work.finally(() => inProgress.delete(work))
  }

  function enqueue(event: StripeEvent) {
    last = last.then(() => deliver(event))
    track(last)
  }

  async function settled() {
    while (inProgress.size > 0) await Promise.all(inProgress)
  }

  function getEvent(id: string): StripeEvent {
    const event = events.get(id)
    if (!event) throw new Error(`There is no event ${id}.`)
    return event
  }

  return {
    /** All deliveries, accepted or not. */
    sent,
    sendTo: (url: string | undefined) => void (endpoint = url),
    deliver(event: StripeEvent) {
      events.set(event.id, event)
      if (endpoint === undefined || isLost) return
      if (isHeld) held.push(event)
      else enqueue(event)
    },
    /** Holds new events back until `release`. */
    hold: () => void (isHeld = true),
    release({ reversed = false } = {}) {
      isHeld = false
      const released = held.splice(0)
      for (const event of reversed ? released.toReversed() : released) enqueue(event)
    },
    /** Loses new events until `loseNone`. */
    lose: () => void (isLost = true),
    loseNone: () => void (isLost = false),
    /** Resends an event as from the dashboard, also a lost one. */
    retry: (id: string): Promise<Delivery> => post(getEvent(id)),
    /** Resends every event that was accepted. */
    repeat() {
      for (const id of new Set(sent.filter(isAccepted).map((delivery) => delivery.id))) enqueue(getEvent(id))
      return settled()
    },
    post,
    /** The signature of an event that is posted now. */
    sign: (event: object) => sign(secret, realTime(), serialize(event)),
    /** Resolves when no delivery is in progress. */
    settled,
    isDelivering: () => inProgress.size > 0,
  }
}
