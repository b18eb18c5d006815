/** The order cannot be placed yet; the message says why and what to do. */
export class OrderPostponed extends Error {}

/** A NotYet with the time of the next attempt. */
export class OrderRateLimited extends OrderPostponed {
  readonly until: Date

  constructor({ reason, until }: { reason: string; until: Date }) {
    super(reason)
    this.until = until
  }
}

interface Answer {
  /** ACME problem type. */
  type?: string
  /** Retry-After in seconds. */
  retryAfter?: number
}

/** The certificate authority rejected the order, with its own message. */
export class OrderRejected extends Error {
  readonly type: string
  readonly retryAfter: number

  constructor(words: string, { type = '', retryAfter = 0 }: Answer = {}) {
    super(words)
    this.type = type
    this.retryAfter = retryAfter
  }
}
