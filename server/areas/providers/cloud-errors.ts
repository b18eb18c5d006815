import { Problem } from '../../errors.ts'

/** The provider rejected the token: invalid, revoked or expired. */
export class TokenRefused extends Problem {}

/** The token lacks a permission. */
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
