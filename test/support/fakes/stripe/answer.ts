import type { CardKind, Decline } from './records.ts'
import { list } from './show.ts'
import { newId, type State } from './state.ts'

/** One request whose key was accepted, as its handler sees it. */
export interface Call {
  state: State
  /** The named parts of the path: /v1/customers/:id. */
  params: Record<string, string>
  path: string
}

export interface Answer {
  status: number
  body: unknown
}

type Wrong = Partial<Record<'type' | 'code' | 'param' | 'decline_code', string | undefined>> & {
  message: string
}

/** Thrown where the real Stripe refuses. */
export class Refusal extends Error {
  readonly status: number
  readonly body: { error: Wrong }
  /** Whether it was refused before anything began, so that an idempotency key is not spent. */
  readonly isEarly: boolean

  constructor(status: number, wrong: Wrong, isEarly = false) {
    super(wrong.message)
    this.status = status
    this.isEarly = isEarly
    const slug = wrong.code?.replaceAll('_', '-')
    const docs = slug && { doc_url: `https://stripe.com/docs/error-codes/${slug}` }
    const log = { request_log_url: `https://dashboard.stripe.com/test/logs/${newId('req', 14)}` }
    this.body = { error: { type: 'invalid_request_error', ...docs, ...log, ...wrong } }
  }
}

export const refuse = (message: string, param?: string, code?: string) =>
  new Refusal(400, { message, param, code })

export const lacking = (param: string) =>
  refuse(`Missing required param: ${param}.`, param, 'parameter_missing')

const noSuch = (status: number) => (kind: string, id: string, param: string) =>
  new Refusal(status, { code: 'resource_missing', param, message: `No such ${kind}: '${id}'` })

/** What a parameter names. */
export const missingParam = noSuch(400)

/** What the path names. */
export const missing = (kind: string, id: string, param = 'id') => noSuch(404)(kind, id, param)

/** The object that the path names. */
export function named<T extends { id: string }>({ params }: Call, all: T[], kind: string, param = 'id'): T {
  const found = all.find(({ id }) => id === params['id'])
  if (!found) throw missing(kind, params['id'] ?? '', param)
  return found
}

export const declines: Record<Exclude<CardKind, 'ok'>, Decline> = {
  declined: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  needs_action: {
    code: 'subscription_payment_intent_requires_action',
    message: 'Payment for this subscription requires additional user action.',
  },
}

export const noCard = () =>
  new Refusal(400, { code: 'resource_missing', message: 'This customer has no attached payment source.' })

interface Paging {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
  created?: number | Partial<Record<'gt' | 'gte' | 'lt' | 'lte', number | undefined>> | undefined
}

/** A page of a list, newest first, at most a hundred. */
export function pageOfList<T extends { id: string; created: number }>(
  { path }: Call,
  all: T[],
  { limit = 10, starting_after, ending_before, created }: Paging,
  show: (one: T) => object,
): object {
  if (limit < 1 || limit > 100)
    throw refuse('This value must be between 1 and 100.', 'limit', 'parameter_invalid_integer')
  const fitting = all.filter((one) => isWithin(one.created, created)).toReversed()
  const at = (id: string, param: string) => {
    const index = fitting.findIndex((one) => one.id === id)
    if (index < 0) throw missingParam('object', id, param)
    return index
  }
  if (ending_before !== undefined) {
    const before = fitting.slice(0, at(ending_before, 'ending_before'))
    return list(path, before.slice(-limit).map(show), before.length > limit)
  }
  const from = starting_after === undefined ? 0 : at(starting_after, 'starting_after') + 1
  return list(path, fitting.slice(from, from + limit).map(show), from + limit < fitting.length)
}

function isWithin(value: number, range: Paging['created']): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return value === range
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return value > gt && value >= gte && value < lt && value <= lte
}
