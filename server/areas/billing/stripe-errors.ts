import { fetchFailureReason, isServiceUnavailable } from '../../call-service.ts'
import type { Context } from '../../context.ts'
import { toSentence, serviceRateLimited, serviceFailed, serviceTimedOut, Problem } from '../../errors.ts'
import { billingUrl } from '../workspaces/plan.ts'

export class StripeRequestFailed extends Problem {
  readonly stripeCode: string | undefined
  readonly param: string | undefined
  readonly isKeyRejected: boolean

  constructor(problem: Problem, { code, param, statusCode }: StripeErrorDetails) {
    super(problem.status, problem.code, problem.message, problem.retryAfter, problem.url)
    this.stripeCode = code
    this.param = param
    this.isKeyRejected = statusCode === 401
  }
}

interface StripeErrorDetails {
  code?: string | undefined
  param?: string | undefined
  statusCode?: number
}

export const isStripeUnreachable = (error: unknown): boolean =>
  isServiceUnavailable(error) && !(error instanceof StripeRequestFailed)

export const isMissingAtStripe = (error: unknown, param?: RegExp): boolean =>
  error instanceof StripeRequestFailed &&
  error.stripeCode === 'resource_missing' &&
  (!param || param.test(error.param ?? ''))

interface StripeError extends Error {
  type: string
  statusCode?: number
  code?: string
  param?: string
  headers?: Record<string, string>
  detail?: unknown
}

const isStripeError = (error: unknown): error is StripeError =>
  error instanceof Error &&
  'type' in error &&
  typeof error.type === 'string' &&
  error.type.startsWith('Stripe')

export function toStripeProblem(ctx: Context, error: unknown): unknown {
  if (!isStripeError(error)) return error
  if (error.type === 'StripeConnectionError') return unreachableProblem(error)
  const { statusCode: status = 0 } = error
  if (error.type === 'StripeRateLimitError' || status === 429)
    return serviceRateLimited('Stripe', Number(error.headers?.['retry-after']) || 10)
  if (hasNoPaymentMethod(error))
    return new StripeRequestFailed(paymentFailed(ctx, error), { code: 'no_card' })
  if (error.type === 'StripeCardError' || status === 402)
    return new StripeRequestFailed(paymentFailed(ctx, error), error)
  if (status >= 500 || status === 0)
    return serviceFailed('Stripe', status === 0 ? 'no response' : `status ${status}`)
  // Stripe is still processing a concurrent request for the same object.
  if (status === 409) return serviceTimedOut('Stripe')
  // Messages with these statuses may contain part of the key.
  const ofKey = status === 401 || status === 403
  // Callers handle missing objects, so do not log them as errors.
  if (error.code !== 'resource_missing')
    ctx.log.error(
      {
        type: error.type,
        status,
        stripeCode: error.code,
        param: error.param,
        description: ofKey ? '' : error.message,
      },
      'Stripe rejected a request',
    )
  return new StripeRequestFailed(ofKey ? keyRejected() : serviceFailed('Stripe', firstSentence(error)), error)
}

const hasNoPaymentMethod = ({ code, param, message }: StripeError) =>
  code === 'resource_missing' && !param && /payment (source|method)/.test(message)

function unreachableProblem({ message, detail }: StripeError): Problem {
  if (/timeout/i.test(message)) return serviceTimedOut('Stripe')
  return serviceFailed('Stripe', fetchFailureReason(new Error('no connection', { cause: detail })))
}

const keyRejected = () =>
  serviceFailed(
    'Stripe',
    'it rejected the API key. The operator of this instance must correct STRIPE_SECRET_KEY.',
  )

const paymentFailed = ({ config }: Context, { message }: StripeError) =>
  new Problem(
    409,
    'payment_failed',
    `The payment failed, so nothing was changed. Stripe: ${toSentence(message)} Update the card under Card and invoices, then try again.`,
    undefined,
    billingUrl(config),
  )

/** Drops the rest of the message, which consists of documentation links. */
const firstSentence = ({ message }: StripeError) =>
  (/^.*?[.;](?=\s|$)/s.exec(message)?.[0] ?? message).slice(0, 300)
