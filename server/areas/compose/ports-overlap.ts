/** Where something listens on a server. */
export interface ListenAddress {
  /** One of its addresses; empty for all of them. */
  host: string
  source: number
}

/** Whether two would listen for the same; one that listens everywhere meets all others. */
export const listenAddressesOverlap = (one: ListenAddress, other: ListenAddress): boolean =>
  one.source === other.source && (one.host === other.host || one.host === '' || other.host === '')
