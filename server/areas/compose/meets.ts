/** Where something listens on a server. */
export interface Listening {
  /** One of its addresses; empty for all of them. */
  host: string
  source: number
}

/** Whether two would listen for the same; one that listens everywhere meets all others. */
export const meets = (one: Listening, other: Listening): boolean =>
  one.source === other.source && (one.host === other.host || one.host === '' || other.host === '')
