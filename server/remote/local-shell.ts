import { userInfo } from 'node:os'
import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { ExitStatus, RemoteShell, TerminalSize } from './host.ts'

/** Milliseconds for a shell to react to SIGHUP. */
const hangUpTimeout = 2_000

/** Includes only login variables, because Slipway's own contain secrets. */
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

/** Opens the login shell of Slipway's user. */
export async function openLocalShell({ cols, rows }: TerminalSize): Promise<RemoteShell> {
  // Loaded on demand, because it is native code that most instances never need.
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
  // A multi-byte character may be split across chunks.
  const typed = new StringDecoder('utf8')
  void ended.then(() => (open = false))
  return {
    output,
    write: (data) => void (open && terminal.write(typed.write(Buffer.from(data)))),
    // The library does not report it.
    waiting: () => 0,
    resize: (size) => void (open && terminal.resize(size.cols, size.rows)),
    pause: () => void output.pause(),
    resume: () => void output.resume(),
    ended,
    close() {
      if (!open) return
      terminal.kill()
      setTimeout(() => open && terminal.kill('SIGKILL'), hangUpTimeout).unref()
    },
  }
}
