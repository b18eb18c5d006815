import type { Duplex, Readable, Writable } from 'node:stream'
import type { Command } from './command.ts'
import type { Semaphore } from '../platform/async.ts'
import type { FolderState } from './proxy/files.ts'
import type { MayConnect } from './ssh/open-socket.ts'

/** How to reach a server. Targets with the same `id` and content share one connection. */
export type HostTarget = SshTarget | LocalTarget

export interface SshTarget {
  kind: 'ssh'
  id: string
  /** Increases with every change of the connection settings. */
  version: number
  address: string
  port: number
  user: string
  /** OpenSSH private key. */
  privateKey: string
  /** The pinned host keys, as `ssh-ed25519 AAAA…`; any other is refused. Empty: none was confirmed yet, so nothing is. */
  hostKeys: readonly string[]
  /** Asked of every IP address before each connection. */
  mayConnect: MayConnect
}

/** The machine that Slipway runs on, over its Docker socket and child processes. */
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
  /** Null when a signal ended it. */
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
  /** Milliseconds after which it is given up with `TimedOut`; 30,000 unless told. Over SSH it may go on there: see `detached.ts`. */
  timeout?: number | undefined
  /** Bytes of each stream that are kept; 1 MiB unless told. The rest is read and dropped. */
  maxBytes?: number | undefined
}

export interface RemoteProcess {
  stdin: Writable
  stdout: Readable
  stderr: Readable
  /** Resolves when it has ended and both streams are through; rejects with `Lost` when the connection went first. */
  ended: Promise<ExitStatus>
  /** Lets go of the channel; what runs there may go on. */
  release(): void
}

/** An interactive shell with a terminal of its own. */
export interface RemoteShell {
  output: Readable
  write(data: string | Buffer): void
  /** How many bytes were written that the other side has not taken, as far as that is known. */
  waiting(): number
  resize(size: TerminalSize): void
  /** Slows the other side down while the reader is behind. */
  pause(): void
  resume(): void
  ended: Promise<ExitStatus>
  close(): void
}

export interface DockerRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | undefined
  /** Below the API's version, with its query: `/containers/json?all=1`. */
  path: string
  body?: unknown
  headers?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
  timeout?: number | undefined
}

export interface Docker {
  /** The reply's JSON (undefined when it has no body). Throws `DockerError` with Docker's own sentence. */
  json<T = unknown>(request: DockerRequest): Promise<T>
  /** The reply as it comes. */
  stream(request: DockerRequest & { input?: Readable | undefined }): Promise<Readable>
  /** The connection itself, once Docker has agreed that both sides talk on it: what an attached exec wants. */
  hijack(request: DockerRequest): Promise<Duplex>
  /** Limits how many containers of one server are inspected at once. */
  readonly inspections: Semaphore
}

/** Facts about a machine that are slow to read. Another process may have changed them. */
export interface HostCache {
  dockerRoot?: { folder: string; until: number } | undefined
  proxyFolder?: FolderState | undefined
  /** Certificates set at run time, which the proxy cannot report. */
  swappedCertificates?: { worker: string; secrets: string } | undefined
}

export interface Files {
  /** The whole file; throws when it has more bytes than `most`. */
  read(path: string, most?: number): Promise<Buffer>
  /** Complete or not at all: written beside and renamed. Makes the folder. */
  write(path: string, content: string | Buffer, options?: { mode?: number; asRoot?: boolean }): Promise<void>
  remove(path: string): Promise<void>
}

/** A machine, however it is reached. Every method connects when there is no connection. */
export interface Host {
  readonly target: HostTarget
  /** Runs to the end; the exit code is part of the result, not an error. */
  run(command: Command, options?: RunOptions): Promise<CommandOutput>
  /** Starts; waits in a queue while the server's sessions are all taken. */
  start(command: Command, options?: { signal?: AbortSignal | undefined }): Promise<RemoteProcess>
  /** Whether what is started now has to wait for others to end. */
  isCrowded?(): boolean
  shell(size: TerminalSize): Promise<RemoteShell>
  /** A connection to a port, made from the machine itself: what only listens there is reached, too. */
  dial(address: string, port: number): Promise<Duplex>
  /** A connection to a socket in its file system. */
  dialSocket(path: string): Promise<Duplex>
  docker: Docker
  files: Files
  readonly cache: HostCache
  /** The one of its host keys by which it has proven itself on the connection that is there, over SSH. */
  hostKey?(): string | undefined
  /** The IP address that the connection leads to, over SSH. */
  address?(): string | undefined
  /** Connects now if there is no connection. */
  connect(signal?: AbortSignal): Promise<void>
  /** Called once when the connection that is there now is lost; at once when there is none. */
  onLost(handler: (why: Error) => void): () => void
}

export interface Hosts {
  /**
   * The host of a target. A changed target closes the connection of the old one; one that is older than what is known
   * closes nothing, and gets a host that refuses all with `Outdated`.
   */
  get(target: HostTarget): Host
  /** Closes the connection of a server that is gone or was changed. */
  disconnect(id: string): void
  close(): Promise<void>
}
