import { finished } from 'node:stream/promises'
import type { z } from 'zod'
import { terminalInput, type terminalMessage } from '../../../contract/terminals.ts'
import { newToken } from '../../platform/tokens.ts'
import type { ExitStatus, RemoteShell, TerminalSize } from '../../remote/host.ts'
import type { Socket } from '../../route.ts'
import { FlowControl, OutputTail } from './output-flow.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

export type TerminalSocket = Socket<z.input<typeof terminalMessage>>

export interface ShellLoss {
  reason: string
  lost: boolean
}

interface Options {
  lossOf: (error: unknown) => Promise<ShellLoss>
  onOver: () => void
  keepMilliseconds?: number
  idleMilliseconds?: number
}

const mostReplayed = 262_144
const mostUnread = 4_194_304
const minute = 60_000

export class Terminal {
  readonly session = newToken('trm')
  private readonly shell: RemoteShell
  private readonly options: Options
  private readonly tail = new OutputTail(mostReplayed)
  private readonly flow: FlowControl
  private socket: TerminalSocket | undefined
  private keeping: NodeJS.Timeout | undefined
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
    void this.untilOver()
  }

  get kept(): boolean {
    return this.socket === undefined
  }

  attach(socket: TerminalSocket): void {
    this.give(socket, Buffer.alloc(0), false)
  }

  resume(socket: TerminalSocket, size: TerminalSize): void {
    this.dismiss({ reason: 'This terminal was opened in another window.', lost: false })
    const past = this.tail.read()
    this.give(socket, past, true)
    socket.send(past)
    this.flow.sent(past.length)
    this.shell.resize(size)
  }

  private give(socket: TerminalSocket, past: Buffer, resumed: boolean) {
    clearTimeout(this.keeping)
    this.socket = socket
    this.flow.begin(() => socket.buffered())
    socket.sendMessage({ type: 'opened', session: this.session, resumed, replay: past.length })
    const still = (act: () => void) => {
      if (this.socket === socket) act()
    }
    socket.onDrain(() => still(() => this.flow.balance()))
    socket.onDismiss((why) => still(() => this.end(why)))
    socket.onText((text) => still(() => this.hear(text)))
    socket.onClose((left) => still(() => this.leave(left)))
  }

  private hear(text: string) {
    const message = read(text)
    if (!message) this.refuse()
    else if (message.type === 'input') this.write(message.data)
    else if (message.type === 'resize') this.shell.resize(message)
    else this.flow.seen(message.bytes)
  }

  private write(data: string) {
    this.idle.over()
    if (this.shell.waiting() > mostUnread) this.end('The shell stopped reading input.')
    else this.shell.write(data)
  }

  private refuse() {
    const { socket } = this
    this.leave(true)
    socket?.refuse()
  }

  /** A closed socket ends the shell; a lost one keeps it for its user. */
  private leave(left: boolean) {
    this.socket = undefined
    this.flow.release()
    const { keepMilliseconds = minute } = this.options
    if (left) this.shell.close()
    else this.keeping = setTimeout(() => this.shell.close(), keepMilliseconds).unref()
  }

  private async untilOver() {
    try {
      const ended = await this.shell.ended
      await finished(this.shell.output, { writable: false }).catch(() => {})
      this.dismiss({ reason: formatShellExit(ended), lost: false })
    } catch (error) {
      if (this.socket) this.dismiss(await this.options.lossOf(error))
    }
    clearTimeout(this.keeping)
    this.idle.stop()
    this.options.onOver()
  }

  end(reason: string): void {
    this.dismiss({ reason, lost: false })
    this.shell.close()
  }

  private dismiss(news: ShellLoss) {
    const { socket } = this
    this.socket = undefined
    this.flow.release()
    socket?.sendMessage({ type: 'end', ...news })
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

/** Closes terminals without input, because an unattended one is open to anybody. */
const maxIdle = 30 * 60_000
const warnBefore = 60_000

interface Say {
  warn: (text: string) => void
  end: (why: string) => void
}

class IdleTimer {
  private readonly most: number
  private readonly say: Say
  private timer: NodeJS.Timeout | undefined

  constructor(most = maxIdle, say: Say) {
    this.most = most
    this.say = say
    this.over()
  }

  over(): void {
    clearTimeout(this.timer)
    const notice = Math.min(warnBefore, this.most / 2)
    this.timer = setTimeout(() => this.warn(notice), this.most - notice).unref()
  }

  stop(): void {
    clearTimeout(this.timer)
  }

  private warn(notice: number) {
    this.say.warn(
      `No input for ${formatMinutes(this.most - notice)}. This terminal closes in ${formatMinutes(notice)} unless you type something.`,
    )
    const why = `Closed after ${formatMinutes(this.most)} without input.`
    this.timer = setTimeout(() => this.say.end(why), notice).unref()
  }
}

function formatMinutes(milliseconds: number): string {
  return milliseconds < 60_000
    ? formatCount(Math.ceil(milliseconds / 1_000), 'second')
    : formatCount(Math.round(milliseconds / 60_000), 'minute')
}
