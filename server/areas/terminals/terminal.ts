import { finished } from 'node:stream/promises'
import type { z } from 'zod'
import { terminalInput, type terminalMessage } from '../../../contract/terminals.ts'
import { newToken } from '../../platform/tokens.ts'
import type { ExitStatus, RemoteShell, TerminalSize } from '../../remote/host.ts'
import type { Socket } from '../../route.ts'
import { FlowControl, OutputTail } from './flow-control.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

export type TerminalSocket = Socket<z.input<typeof terminalMessage>>

export interface ShellLoss {
  reason: string
  lost: boolean
}

interface Options {
  toLoss: (error: unknown) => Promise<ShellLoss>
  onEnd: () => void
  keepMilliseconds?: number
  idleMilliseconds?: number
}

const maxReplayBytes = 262_144
const maxUnreadBytes = 4_194_304
const minute = 60_000

export class Terminal {
  readonly session = newToken('trm')
  private readonly shell: RemoteShell
  private readonly options: Options
  private readonly tail = new OutputTail(maxReplayBytes)
  private readonly flow: FlowControl
  private socket: TerminalSocket | undefined
  private keepTimer: NodeJS.Timeout | undefined
  private readonly idle: IdleTimer

  constructor(shell: RemoteShell, options: Options) {
    this.shell = shell
    this.options = options
    this.flow = new FlowControl(shell)
    this.idle = new IdleTimer(options.idleMilliseconds, {
      warn: (text) => this.socket?.sendMessage({ type: 'warning', text }),
      end: (why) => this.end(why),
    })
    shell.output.on('data', (chunk: Buffer) => {
      this.tail.push(chunk)
      this.socket?.send(chunk)
      this.flow.sent(chunk.length)
    })
    void this.waitForExit()
  }

  get isDetached(): boolean {
    return this.socket === undefined
  }

  attach(socket: TerminalSocket): void {
    this.connect(socket, Buffer.alloc(0), false)
  }

  resume(socket: TerminalSocket, size: TerminalSize): void {
    this.dismiss({ reason: 'This terminal was opened in another window.', lost: false })
    const replay = this.tail.read()
    this.connect(socket, replay, true)
    socket.send(replay)
    this.flow.sent(replay.length)
    this.shell.resize(size)
  }

  private connect(socket: TerminalSocket, replay: Buffer, resumed: boolean) {
    clearTimeout(this.keepTimer)
    this.socket = socket
    this.flow.begin(() => socket.buffered())
    socket.sendMessage({ type: 'opened', session: this.session, resumed, replay: replay.length })
    const ifCurrent = (act: () => void) => {
      if (this.socket === socket) act()
    }
    socket.onDrain(() => ifCurrent(() => this.flow.balance()))
    socket.onDismiss((why) => ifCurrent(() => this.end(why)))
    socket.onText((text) => ifCurrent(() => this.handleMessage(text)))
    socket.onClose((isClosed) => ifCurrent(() => this.disconnect(isClosed)))
  }

  /** Handles messages of the terminal: input, a new size, and acknowledgments of output. */
  private handleMessage(text: string) {
    const message = read(text)
    if (!message) this.refuse()
    else if (message.type === 'input') this.write(message.data)
    else if (message.type === 'resize') this.shell.resize(message)
    else this.flow.seen(message.bytes)
  }

  private write(data: string) {
    this.idle.restart()
    if (this.shell.waiting() > maxUnreadBytes) this.end('The shell stopped reading input.')
    else this.shell.write(data)
  }

  private refuse() {
    const { socket } = this
    this.disconnect(true)
    socket?.refuse()
  }

  /** A socket that the user closed ends the shell. After a lost connection, the shell is kept for its user. */
  private disconnect(isClosed: boolean) {
    this.socket = undefined
    this.flow.release()
    const { keepMilliseconds = minute } = this.options
    if (isClosed) this.shell.close()
    else this.keepTimer = setTimeout(() => this.shell.close(), keepMilliseconds).unref()
  }

  private async waitForExit() {
    try {
      const status = await this.shell.ended
      await finished(this.shell.output, { writable: false }).catch(() => {})
      this.dismiss({ reason: formatShellExit(status), lost: false })
    } catch (error) {
      if (this.socket) this.dismiss(await this.options.toLoss(error))
    }
    clearTimeout(this.keepTimer)
    this.idle.stop()
    this.options.onEnd()
  }

  end(reason: string): void {
    this.dismiss({ reason, lost: false })
    this.shell.close()
  }

  private dismiss(loss: ShellLoss) {
    const { socket } = this
    this.socket = undefined
    this.flow.release()
    socket?.sendMessage({ type: 'end', ...loss })
    socket?.close()
  }
}

function read(text: string): z.output<typeof terminalInput> | undefined {
  try {
    return terminalInput.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function formatShellExit({ code, signal }: ExitStatus): string {
  if (signal) return `The shell was terminated by ${signal}.`
  return code === null || code === 0 ? 'The shell exited.' : `The shell exited with code ${code}.`
}

/** Closes terminals without input (idle timeout), because anyone can use an unattended one. */
const defaultMaxIdleMs = 30 * 60_000
const warnBeforeMs = 60_000

interface IdleActions {
  warn: (text: string) => void
  end: (why: string) => void
}

class IdleTimer {
  private readonly maxIdleMs: number
  private readonly actions: IdleActions
  private timer: NodeJS.Timeout | undefined

  constructor(maxIdleMs = defaultMaxIdleMs, actions: IdleActions) {
    this.maxIdleMs = maxIdleMs
    this.actions = actions
    this.restart()
  }

  restart(): void {
    clearTimeout(this.timer)
    const notice = Math.min(warnBeforeMs, this.maxIdleMs / 2)
    this.timer = setTimeout(() => this.warn(notice), this.maxIdleMs - notice).unref()
  }

  stop(): void {
    clearTimeout(this.timer)
  }

  private warn(notice: number) {
    this.actions.warn(
      `No input for ${formatMinutes(this.maxIdleMs - notice)}. This terminal closes in ${formatMinutes(notice)} unless you type something.`,
    )
    const reason = `Closed after ${formatMinutes(this.maxIdleMs)} without input.`
    this.timer = setTimeout(() => this.actions.end(reason), notice).unref()
  }
}

function formatMinutes(milliseconds: number): string {
  return milliseconds < 60_000
    ? formatCount(Math.ceil(milliseconds / 1_000), 'second')
    : formatCount(Math.round(milliseconds / 60_000), 'minute')
}
