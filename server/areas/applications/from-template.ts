import type { Pair } from '../../../contract/shared/entries.ts'
import type { ServerRow } from '../servers/server.ts'
import { webPortsOf } from '../servers/web-ports.ts'
import { domainUrl } from './hosts/domain-url.ts'
import type { Problems } from './entries/ports.ts'

/** Where an application will be reached. */
export interface Address {
  host: string
  /** Without a slash at its end. */
  url: string
}

/** What a template says of an application that is made from it. */
export interface FromTemplate {
  /** What its file runs, whatever that is filled with. */
  services: string[]
  /** Where its address leads. */
  http: { service: string; port: number } | null
  /** Its variables: the same for the same address, secrets too. That is known once the application has a name. */
  fill: (address: Address | undefined) => Promise<{ env: Pair[]; problems: Problems }>
}

/** As it is once its certificate is there. */
export const addressAt = (server: ServerRow, route: { host: string; https: boolean }): Address => ({
  host: route.host,
  url: domainUrl({ ...route, path: '' }, route.https, webPortsOf(server)),
})
