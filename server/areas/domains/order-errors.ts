export class OrderPostponed extends Error {}

export class OrderRateLimited extends OrderPostponed {
  readonly until: Date

  constructor({ reason, until }: { reason: string; until: Date }) {
    super(reason)
    this.until = until
  }
}

export class OrderRejected extends Error {
  readonly type: string
  readonly retryAfter: number

  constructor(words: string, { type = '', retryAfter = 0 }: { type?: string; retryAfter?: number } = {}) {
    super(words)
    this.type = type
    this.retryAfter = retryAfter
  }
}
