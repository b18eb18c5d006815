import { newId } from './state.ts'

interface ErrorBody {
  message: string
  type?: string
  code?: string | undefined
  param?: string | undefined
  decline_code?: string
}

/** An error that the API answers with. */
export class ApiError extends Error {
  readonly status: number
  readonly body: { error: ErrorBody }

  constructor(status: number, error: ErrorBody) {
    super(error.message)
    this.status = status
    const docs = error.code && {
      doc_url: `https://stripe.com/docs/error-codes/${error.code.replaceAll('_', '-')}`,
    }
    const log = { request_log_url: `https://dashboard.stripe.com/test/logs/${newId('req', 14)}` }
    this.body = { error: { type: 'invalid_request_error', ...docs, ...log, ...error } }
  }
}

export const invalidRequest = (message: string, param?: string, code?: string) =>
  new ApiError(400, { message, param, code })

export const missingParam = (param: string) =>
  invalidRequest(`Missing required param: ${param}.`, param, 'parameter_missing')

/** 404 for an id in the path, 400 for one in a parameter. */
export const noSuch = (status: 400 | 404, type: string, id: string, param: string) =>
  new ApiError(status, { code: 'resource_missing', param, message: `No such ${type}: '${id}'` })

const declines = {
  declined: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  needs_action: {
    code: 'subscription_payment_intent_requires_action',
    message: 'Payment for this subscription requires additional user action.',
  },
}

export const cardError = (behavior: keyof typeof declines) =>
  new ApiError(402, { type: 'card_error', param: '', ...declines[behavior] })

/** For requests that Stripe accepts but the fake does not implement: the test fails instead of proving nothing. */
export const notImplemented = (what: string) => new Error(`The fake of Stripe does not implement ${what}.`)
