import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { findable } from './stray.ts'

const repository = new URL('../../..', import.meta.url).pathname

/** A temporary folder; processes that still use it afterwards are killed. */
export async function temporaryFolder(
  later: (clean: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-test-'))
  later(async () => {
    await killBelow(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

/** Processes with a working directory in `folder`, which includes all PostgreSQL processes. */
export async function processesBelow(folder: string): Promise<number[]> {
  // Only Linux has /proc.
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => `${places[index]}/`.startsWith(`${folder}/`)).map(Number)
}

export async function killBelow(folder: string): Promise<void> {
  for (const pid of await processesBelow(folder)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has exited meanwhile.
    }
  }
}

/** Bundles a program so that Node can run it. */
export async function bundle(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-bundle-'))
  await chmod(folder, 0o755)
  // Loaded on demand, because most tests do not need it.
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: repository,
    logLevel: 'error',
    build: { ssr: join(repository, program), outDir: join(folder, 'built'), minify: false },
  })
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'built', program.replace(/.*\//, '').replace(/\.\w+$/, '.js'))
}

export async function removeBundle(file: string): Promise<void> {
  await rm(dirname(dirname(file)), { recursive: true, force: true })
}

export interface Program {
  process: ChildProcess
  /** Output lines. */
  lines: string[]
  /** Resolves with the first matching line; rejects with all output on exit. */
  line(pattern: RegExp): Promise<string>
  /** Sends a signal and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Ends with the test. */
export function startProgram(file: string, args: string[], options: SpawnOptions = {}): Program {
  const child = spawn(process.execPath, [file, ...args], {
    ...options,
    env: { ...(options.env ?? process.env), ...findable() },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  if (!child.stdout) throw new Error('The program was started without a pipe')
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  function line(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (text: string) => pattern.test(text) && resolve(text)
      lines.forEach(look)
      reader.on('line', look)
      void closed.then(() => reject(new Error(`It ended without ${String(pattern)}:\n${lines.join('\n')}`)))
    })
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    child.kill(signal)
    await closed
  }
  return { process: child, lines, line, end }
}
