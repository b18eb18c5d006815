export interface ListenAddress {
  /** An address of the server; empty for all. */
  host: string
  source: number
}

/** Listening on all addresses conflicts with any other. */
export const listenAddressesOverlap = (one: ListenAddress, other: ListenAddress): boolean =>
  one.source === other.source && (one.host === other.host || one.host === '' || other.host === '')
