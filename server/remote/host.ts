import type { Duplex, Readable, Writable } from 'node:stream'
import type { Command } from './command.ts'
import type { Semaphore } from '../platform/async.ts'
import type { MayConnect } from './ssh/open-socket.ts'
import type { FolderState } from './proxy/apply.ts'
import type { Log } from '../platform/log.ts'
import { ConnectionLost, TargetOutdated } from './errors.ts'
import { createLocalHost } from './local-host.ts'
import { createSshHost } from './ssh/ssh-host.ts'

/** Connection settings of a server. Targets with the same `id` and content share one connection. */
export type HostTarget = SshTarget | LocalTarget

export interface SshTarget {
  kind: 'ssh'
  id: string
  version: number
  address: string
  port: number
  user: string
  privateKey: string
  /**
   * Pinned host keys, such as `ssh-ed25519 AAAA…`. Other keys are refused, and without a confirmed key every
   * connection.
   */
  hostKeys: readonly string[]
  /** Decides before each connection whether Slipway may connect to an IP address. */
  mayConnect: MayConnect
}

export interface LocalTarget {
  kind: 'local'
  id: string
  dockerSocket: string
}

export interface TerminalSize {
  cols: number
  rows: number
}

export interface ExitStatus {
  /** Exit code; null if a signal ended the process. */
  code: number | null
  signal: string | null
}

export interface CommandOutput extends ExitStatus {
  stdout: string
  stderr: string
}

export interface RunOptions {
  input?: string | Buffer | undefined
  signal?: AbortSignal | undefined
  /**
   * Timeout in milliseconds, 30,000 by default. Over SSH, the process may continue after a `RemoteTimeout`: see
   * `detached.ts`.
   */
  timeout?: number | undefined
  maxBytes?: number | undefined
}

export interface RemoteProcess {
  stdin: Writable
  stdout: Readable
  stderr: Readable
  ended: Promise<ExitStatus>
  release(): void
}

export interface RemoteShell {
  output: Readable
  write(data: string | Buffer): void
  waiting(): number
  resize(size: TerminalSize): void
  pause(): void
  resume(): void
  ended: Promise<ExitStatus>
  close(): void
}

export interface DockerRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | undefined
  /** Path relative to the API version, with query: `/containers/json?all=1`. */
  path: string
  body?: unknown
  headers?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
  timeout?: number | undefined
}

export interface DockerEngine {
  version: string
  /** API version that Slipway uses with this engine, such as `1.45`. */
  apiVersion: string
}

export interface Docker {
  engine(limits?: Pick<DockerRequest, 'signal' | 'timeout'>): Promise<DockerEngine>
  /** Returns undefined for an empty body. Throws `DockerError` with Docker's own message. */
  json<T = unknown>(request: DockerRequest): Promise<T>
  stream(request: DockerRequest & { input?: Readable | undefined }): Promise<Readable>
  hijack(request: DockerRequest): Promise<Duplex>
  readonly inspections: Semaphore
}

export interface HostCache {
  dockerRoot?: { folder: string; until: number } | undefined
  proxyFolder?: FolderState | undefined
  /** Certificates that were set at run time, which the proxy cannot report. */
  swappedCertificates?: { worker: string; secrets: string } | undefined
}

export interface Files {
  read(path: string, most?: number): Promise<Buffer>
  /** Writes a file atomically, through a temporary file that is renamed. Creates the folder if necessary. */
  write(path: string, content: string | Buffer, options?: { mode?: number; asRoot?: boolean }): Promise<void>
  remove(path: string): Promise<void>
}

export interface Host {
  readonly target: HostTarget
  run(command: Command, options?: RunOptions): Promise<CommandOutput>
  /** Opens a session, and waits while all sessions of the server are in use. */
  start(command: Command, options?: { signal?: AbortSignal | undefined }): Promise<RemoteProcess>
  isCrowded?(): boolean
  shell(size: TerminalSize): Promise<RemoteShell>
  /** Connects to a port from the machine itself, so that loopback ports are reachable. */
  dial(address: string, port: number): Promise<Duplex>
  dialSocket(path: string): Promise<Duplex>
  docker: Docker
  files: Files
  readonly cache: HostCache
  /** The host key that the server proved on the current SSH connection. */
  hostKey?(): string | undefined
  address?(): string | undefined
  connect(signal?: AbortSignal): Promise<void>
  /** Calls the handler once when the current connection is lost, or immediately if there is none. */
  onLost(handler: (reason: Error) => void): () => void
}

export interface Hosts {
  /**
   * Returns the host of a target. A changed target closes the old connection; for an outdated target, the host refuses
   * every call with `TargetOutdated`.
   */
  get(target: HostTarget): Host
  disconnect(id: string): void
  close(): Promise<void>
}

type ClosableHost = Host & { close(reason: Error): void }

export function createHosts(log: Log): Hosts {
  const hosts = new Map<string, { host: ClosableHost; version: number }>()
  const make = (target: HostTarget): ClosableHost =>
    target.kind === 'ssh' ? createSshHost(target, log) : createLocalHost(target)

  function drop(id: string, reason: Error) {
    hosts.get(id)?.host.close(reason)
    hosts.delete(id)
  }

  return {
    get(target) {
      const version = getVersion(target)
      const known = hosts.get(target.id)
      if (known && sameTarget(known.host.target, target)) {
        // The target may have changed and changed back, so the newest version is kept.
        known.version = Math.max(known.version, version)
        return known.host
      }
      const host = make(target)
      if (known && version < known.version) {
        host.close(new TargetOutdated())
        return host
      }
      drop(target.id, new TargetOutdated())
      hosts.set(target.id, { host, version })
      return host
    },
    disconnect: (id) =>
      drop(id, new ConnectionLost('The connection was closed because the server was changed or removed.')),
    async close() {
      for (const id of hosts.keys()) drop(id, new ConnectionLost('Slipway is stopping.'))
    },
  }
}

const getVersion = (target: HostTarget) => (target.kind === 'ssh' ? target.version : 1)

function sameTarget(a: HostTarget, b: HostTarget): boolean {
  return JSON.stringify(fingerprint(a)) === JSON.stringify(fingerprint(b))
}

const fingerprint = (target: HostTarget) =>
  target.kind === 'ssh'
    ? [target.address, target.port, target.user, target.privateKey, target.hostKeys]
    : [target.dockerSocket]
