import type { RemoteShell } from '../../remote/host.ts'

const mostBehind = 1_048_576
const closeEnough = 262_144

/** Pauses a shell while its reader is behind, so that output waits on the server and not in memory. */
export class FlowControl {
  private readonly shell: Pick<RemoteShell, 'pause' | 'resume'>
  private buffered = () => 0
  private out = 0
  /** Undefined for clients that do not acknowledge output. */
  private drawn: number | undefined
  private held = false

  constructor(shell: Pick<RemoteShell, 'pause' | 'resume'>) {
    this.shell = shell
  }

  /** Starts for a new client, which has seen nothing. */
  begin(buffered: () => number): void {
    this.buffered = buffered
    this.out = 0
    this.drawn = undefined
    this.balance()
  }

  /** Without a client, output is only buffered. */
  release(): void {
    this.begin(() => 0)
  }

  sent(bytes: number): void {
    this.out += bytes
    this.balance()
  }

  seen(bytes: number): void {
    this.drawn = Math.min(bytes, this.out)
    this.balance()
  }

  balance(): void {
    const behind = Math.max(this.buffered(), this.drawn === undefined ? 0 : this.out - this.drawn)
    if (!this.held && behind > mostBehind) {
      this.held = true
      this.shell.pause()
    } else if (this.held && behind < closeEnough) {
      this.held = false
      this.shell.resume()
    }
  }
}
