/** Routing of a machine, across workspaces. */
export interface Routing {
  httpPorts: readonly number[]
  httpsPorts: readonly number[]
  applications: readonly RoutedApplication[]
  certificates: readonly ServedCertificate[]
  /** Pending challenges; all others return 404. */
  challenges: readonly RoutedChallenge[]
}

/** An HTTP-01 challenge and its response. */
export interface RoutedChallenge {
  host: string
  token: string
  keyAuthorization: string
}

export interface RoutedApplication {
  id: string
  replicas: number
  maintenance: boolean
  /** Path of the HTTP health check; null for a TCP check. Always null for compose services. */
  healthPath: string | null
  domains: readonly RoutedDomain[]
  ports: readonly RoutedPort[]
  instances: readonly RoutedInstance[]
}

export interface RoutedDomain {
  /** Empty for a single image. */
  service: string
  host: string
  path: string
  /** Container port; null for the HTTP port of the instance. */
  port: number | null
  /** Redirect target for HTTPS: the host, with a non-default port. */
  secure: string | null
}

export interface RoutedPort {
  service: string
  /** Empty for all addresses of the machine. */
  host: string
  source: number
  target: number
}

export interface RoutedInstance {
  service: string
  slot: number
  address: string
  /** HTTP port, if any. */
  port: number | null
  /** Whether it receives new requests; otherwise it drains. */
  serving: boolean
}

export interface ServedCertificate {
  host: string
  /** Certificate chain followed by the key. */
  pem: string
}
