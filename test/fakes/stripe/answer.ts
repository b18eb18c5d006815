import type { CardKind } from './records.ts'
import { newId, type State } from './state.ts'

/** One request whose key was taken, as those who answer it see it. */
export interface Call {
  state: State
  /** What stood in its path: /v1/customers/:id. */
  params: Record<string, string>
  path: string
}

export interface Answer {
  status: number
  body: unknown
}

interface Wrong {
  type?: string
  code?: string | undefined
  param?: string | undefined
  decline_code?: string | undefined
  message: string
  payment_intent?: object
}

/** What the real one answers where it refuses. */
export class Refusal extends Error {
  readonly status: number
  readonly body: { error: Wrong }
  /** Whether it was refused before anything began, so that a key of idempotency is not spent. */
  readonly isEarly: boolean

  constructor(status: number, wrong: Wrong, isEarly = false) {
    super(wrong.message)
    this.status = status
    this.isEarly = isEarly
    const docs = wrong.code && {
      doc_url: `https://stripe.com/docs/error-codes/${wrong.code.replaceAll('_', '-')}`,
    }
    const log = { request_log_url: `https://dashboard.stripe.com/test/logs/${newId('req', 14)}` }
    this.body = { error: { type: 'invalid_request_error', ...docs, ...log, ...wrong } }
  }
}

export const refuse = (message: string, param?: string, code?: string) =>
  new Refusal(400, { message, param, code })

/** What the path names. */
export const missing = (kind: string, id: string, param = 'id') =>
  new Refusal(404, { code: 'resource_missing', param, message: `No such ${kind}: '${id}'` })

/** What a parameter names. */
export const missingParam = (kind: string, id: string, param: string) =>
  new Refusal(400, { code: 'resource_missing', param, message: `No such ${kind}: '${id}'` })

export const declines: Record<
  Exclude<CardKind, 'ok'>,
  Pick<Wrong, 'message'> & { code: string; decline_code?: string }
> = {
  declined: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  needs_action: {
    code: 'subscription_payment_intent_requires_action',
    message:
      'Payment for this subscription requires additional user action before it can be completed successfully.',
  },
}

export const noCard =
  'This customer has no attached payment source or default payment method. Please consider adding a default payment method.'
