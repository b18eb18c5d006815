import { Problem } from '../../errors.ts'

/** The cloud does not take the token: it is wrong, was revoked, or has expired. */
export class TokenRefused extends Problem {}

/** The token is taken, but may not do this. */
export class NoRight extends Problem {}

/** It takes no more calls for now; `retryAfter` says for how long. */
export class CloudBusy extends Problem {}

/** It did not answer as one does. Whether it did what was asked of it is not known. */
export class CloudAway extends Problem {}

/** It answered that it will not, for a reason that a person has to do something about. Nothing was done. */
export class CloudRefused extends Problem {
  readonly why: 'quota' | 'sold_out' | 'name_taken' | 'no_key' | 'invalid'

  constructor(why: CloudRefused['why'], sentence: string) {
    super(409, `cloud_${why}`, sentence)
    this.why = why
  }
}
