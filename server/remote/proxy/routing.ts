/** All that the proxy of a machine has to do, whoever it is for. */
export interface Routing {
  httpPorts: readonly number[]
  httpsPorts: readonly number[]
  applications: readonly RoutedApplication[]
  certificates: readonly ServedCertificate[]
  /** Of the account by which certificates are asked for: what is asked under a name is answered with it. */
  thumbprint?: string | undefined
}

export interface RoutedApplication {
  id: string
  replicas: number
  /** Visitors see a page that says so. */
  maintenance: boolean
  /** Asked for over HTTP to see whether an instance is well; without it, that it takes connections is enough. */
  healthPath: string | null
  domains: readonly RoutedDomain[]
  /** On the machine, and in the container. */
  ports: readonly { source: number; target: number }[]
  instances: readonly RoutedInstance[]
}

export interface RoutedDomain {
  host: string
  path: string
  /** In the container; null for where it listens for HTTP. */
  port: number | null
  /** Where its visitors are led from HTTP: the host, with the port for HTTPS if that is an unusual one. */
  secure: string | null
}

export interface RoutedInstance {
  slot: number
  address: string
  /** Where it listens for HTTP, if it does. */
  port: number | null
  /** Takes new requests; else those that it has may end. */
  serving: boolean
}

export interface ServedCertificate {
  host: string
  /** The chain and the key, one after the other. */
  pem: string
}
