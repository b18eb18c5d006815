import { userInfo } from 'node:os'
import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { ExitStatus, RemoteShell, TerminalSize } from './host.ts'

/** Milliseconds that a shell gets to heed the hang-up. */
const patience = 2_000

/** What a log-in would give. Slipway's own variables hold secrets and stay out of it. */
export function cleanEnvironment(): Record<string, string> {
  const { username, homedir } = userInfo()
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: homedir,
    USER: username,
    LOGNAME: username,
    LANG: 'C.UTF-8',
  }
}

/** The log-in shell of the user that Slipway runs as. */
export async function openLocalShell({ cols, rows }: TerminalSize): Promise<RemoteShell> {
  // Native code, which a Slipway without a local machine never needs.
  const { spawn } = await import('@lydell/node-pty')
  const { homedir, shell } = userInfo()
  const terminal = spawn(shell || '/bin/sh', ['-l'], {
    name: 'xterm-256color',
    cols,
    rows,
    cwd: homedir,
    env: { ...cleanEnvironment(), SHELL: shell || '/bin/sh' },
    encoding: null,
  })
  const output = new Readable({ read: () => terminal.resume() })
  terminal.onData((data: string | Buffer) => {
    if (!output.push(data)) terminal.pause()
  })
  const ended = new Promise<ExitStatus>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      output.push(null)
      resolve(signal ? { code: null, signal: String(signal) } : { code: exitCode, signal: null })
    })
  })
  let open = true
  // A character may be cut in two by the pieces that come.
  const typed = new StringDecoder('utf8')
  void ended.then(() => (open = false))
  return {
    output,
    write: (data) => void (open && terminal.write(typed.write(Buffer.from(data)))),
    // The library does not tell.
    waiting: () => 0,
    resize: (size) => void (open && terminal.resize(size.cols, size.rows)),
    pause: () => void output.pause(),
    resume: () => void output.resume(),
    ended,
    close() {
      if (!open) return
      terminal.kill()
      setTimeout(() => open && terminal.kill('SIGKILL'), patience).unref()
    },
  }
}
