import type { Pair } from '../../../contract/shared/entries.ts'
import type { ServerRow } from '../servers/server.ts'
import { getWebPorts } from '../servers/web-ports.ts'
import { domainUrl } from './hosts/domain-url.ts'
import type { FieldProblems } from './entries/ports.ts'

export interface ApplicationAddress {
  host: string
  /** Without a trailing slash. */
  url: string
}

export interface FromTemplate {
  services: string[]
  http: { service: string; port: number } | null
  /**
   * Derives variables from the URL, which is known once the application has a name. Deterministic, secrets included.
   */
  fill: (address: ApplicationAddress | undefined) => Promise<{ env: Pair[]; problems: FieldProblems }>
}

/** Assumes that the certificate is issued. */
export const toApplicationAddress = (
  server: ServerRow,
  route: { host: string; https: boolean },
): ApplicationAddress => ({
  host: route.host,
  url: domainUrl({ ...route, path: '' }, route.https, getWebPorts(server)),
})
