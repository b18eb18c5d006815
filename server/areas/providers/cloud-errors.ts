import { Problem, serviceFailed, toSentence } from '../../errors.ts'
import { rateLimitedProblem } from '../../call-service.ts'
import { toSingleLine } from '../../platform/text/plain-text.ts'
import type { Api, ApiRequest } from './api-client.ts'
import type { Account } from './provider.ts'

/** The provider rejected the token: invalid, revoked or expired. */
export class TokenRefused extends Problem {}

export class MissingPermission extends Problem {}

/** The provider limits requests; `retryAfter` is in seconds. */
export class CloudBusy extends Problem {}

/** The provider is unavailable or its response is invalid; the outcome of the request is unknown. */
export class CloudUnavailable extends Problem {}

/** The provider rejected the request and did nothing; a user has to act. */
export class CloudRefused extends Problem {
  readonly why: 'quota' | 'sold_out' | 'name_taken' | 'no_key' | 'invalid'

  constructor(reason: CloudRefused['why'], sentence: string) {
    super(409, `cloud_${reason}`, sentence)
    this.why = reason
  }
}

export interface ErrorResponse {
  code: string
  message: string
}

export type CloudErrorKind = CloudRefused['why'] | 'token' | 'right' | 'locked' | 'away'

export function toCloudProblem(
  account: Account,
  api: Api,
  request: ApiRequest,
  status: number,
  response: ErrorResponse,
): Problem {
  const kind = api.kindOf(status, response) ?? kindOf(status)
  return problems[kind]({
    api,
    request,
    status,
    why: maskProviderMessage(account, request, response.message),
  })
}

interface ErrorDetails {
  api: Api
  request: ApiRequest
  status: number
  why: string
}

const problems: Record<CloudErrorKind, (failure: ErrorDetails) => Problem> = {
  token: ({ api: { name } }) =>
    new TokenRefused(
      409,
      'cloud_token_refused',
      `${name} rejected this token: it is invalid, revoked or expired. Create a new one at ${name} and add it in Slipway.`,
    ),
  right: ({ api: { name, tokenHelp }, why: reason }) =>
    new MissingPermission(
      409,
      'cloud_no_right',
      `This token lacks permissions at ${name}${inBrackets(reason)}. ${tokenHelp}`,
    ),
  locked: ({ api: { name } }) =>
    new CloudBusy(409, 'cloud_locked', `${name} is still processing another request. Try again shortly.`, 5),
  away: ({ api, status }) => providerUnavailable(api, `HTTP status ${status}`),
  quota: ({ api: { name }, why: reason }) =>
    new CloudRefused(
      'quota',
      `The account at ${name} reached a limit${inBrackets(reason)}. Delete what you do not need there, or ask ${name} to raise the limit.`,
    ),
  sold_out: ({ api: { name }, request: { wanted }, why: reason }) =>
    new CloudRefused(
      'sold_out',
      wanted
        ? `${wanted.type} is sold out in ${wanted.region} at ${name}. Choose another type or region.`
        : `The server type is sold out at ${name}${inBrackets(reason)}. Choose another type or region.`,
    ),
  name_taken: (failure) => {
    const { api, request } = failure
    // Names of other objects are unique to Slipway, so the object exists and is only missing from the list.
    if (!request.wanted) return problems.locked(failure)
    return new CloudRefused(
      'name_taken',
      `A server named ${request.wanted.name} already exists at ${api.name}. Choose another name.`,
    )
  },
  no_key: ({ api: { name } }) =>
    new CloudRefused('no_key', `${name} did not find the SSH key that Slipway added.`),
  invalid: ({ api: { name }, status, why: reason }) =>
    new CloudRefused(
      'invalid',
      `${name} rejected the request: ${reason ? toSentence(reason) : `HTTP status ${status}.`}`,
    ),
}

function kindOf(status: number): CloudErrorKind {
  if (status === 401) return 'token'
  if (status === 403) return 'right'
  if (status === 423) return 'locked'
  return status >= 400 && status < 500 && status !== 408 ? 'invalid' : 'away'
}

export const providerUnavailable = ({ name }: Api, reason: string | Problem) => {
  const { status, code, message } = typeof reason === 'string' ? serviceFailed(name, reason) : reason
  return new CloudUnavailable(status, code, message)
}

export function cloudBusy({ name }: Api, until: number) {
  const { status, code, message, retryAfter } = rateLimitedProblem(name, until)
  return new CloudBusy(status, code, message, retryAfter)
}

/** Returns the provider's message in one line with secrets masked, because it may echo the request. */
function maskProviderMessage({ token }: Account, { wanted }: ApiRequest, message: string): string {
  const { userData = '' } = wanted ?? {}
  const given = [token, Buffer.from(userData).toString('base64'), ...userData.split('\n')]
  const secrets = given.filter(({ length }) => length > 8)
  const words = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message)
  return toSingleLine(words).trim().slice(0, 300)
}

const inBrackets = (reason: string) => (reason ? ` (${reason.replace(/\.$/, '')})` : '')
