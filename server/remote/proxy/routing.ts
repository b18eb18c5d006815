/** All that the proxy of a machine has to do, whoever it is for. */
export interface Routing {
  httpPorts: readonly number[]
  httpsPorts: readonly number[]
  applications: readonly RoutedApplication[]
  certificates: readonly ServedCertificate[]
  /** Of orders in progress; every other challenge is answered with 404. */
  challenges: readonly RoutedChallenge[]
}

/** An HTTP-01 challenge of a certificate authority, and the answer that proves control of the name. */
export interface RoutedChallenge {
  host: string
  token: string
  keyAuthorization: string
}

export interface RoutedApplication {
  id: string
  replicas: number
  /** Visitors see a page that says so. */
  maintenance: boolean
  /**
   * Asked for over HTTP to see whether an instance is well; without it, that it takes connections is enough. Services of
   * a compose file have none.
   */
  healthPath: string | null
  domains: readonly RoutedDomain[]
  ports: readonly RoutedPort[]
  instances: readonly RoutedInstance[]
}

export interface RoutedDomain {
  /** Where it leads; empty where the application is a single image. */
  service: string
  host: string
  path: string
  /** In the container; null for where it listens for HTTP. */
  port: number | null
  /** Where its visitors are led from HTTP: the host, with the port for HTTPS if that is an unusual one. */
  secure: string | null
}

export interface RoutedPort {
  service: string
  /** The address of the machine that takes it; empty for all of them. */
  host: string
  /** On the machine, and in the container. */
  source: number
  target: number
}

export interface RoutedInstance {
  service: string
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
