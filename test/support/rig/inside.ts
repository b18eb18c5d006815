import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Rig } from './rig.ts'

/** Runs a program in a server without SSH; rejects with its error output. */
export type Exec = (program: string, ...args: string[]) => Promise<string>

/** Starts a program in a server without SSH. It ends with the server at the latest. */
export type Start = (
  env: Record<string, string>,
  program: string,
  ...args: string[]
) => ChildProcessByStdio<null, Readable, Readable>

/** Internals of a server for its parts. */
export interface Inside {
  exec: Exec
  start: Start
  /** A constant script with arguments in $1, $2, … */
  sh: (script: string, ...args: string[]) => Promise<string>
  address: string
  /** Path of a server's file on this machine, including sockets. */
  path: (file: string) => string
}

const run = promisify(execFile)
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export const addressIn = ({ net }: Rig, index: number) => `${net}.${10 + index}`

export function inside(rig: Rig, index: number): Inside {
  function pid(): string {
    const first = readFileSync(join(rig.folder, String(index), 'pid'), 'utf8').trim()
    // Process IDs are reused, so make sure that nothing runs on this machine.
    const [its, ours] = [`/proc/${first}/ns/net`, `/run/netns/${rig.prefix}${index}`].map(
      (file) => statSync(file).ino,
    )
    if (its !== ours) throw new Error(`Server ${index} does not run.`)
    return first
  }
  const namespaces = () => ['-t', pid(), '-n', '-m', '-p', '-u', '-i', '-r', '-w']
  const own = { PATH, HOME: '/root', LANG: 'C.UTF-8' }
  const exec: Exec = async (program, ...args) => {
    try {
      const { stdout } = await run('nsenter', [...namespaces(), '--', program, ...args], {
        env: own,
        maxBuffer: 64 * 1024 * 1024,
      })
      return stdout
    } catch (error) {
      const { code, stdout, stderr } = Object(error)
      const command = [program, ...args].map((word) => word.slice(0, 80)).join(' ')
      throw new Error(`${command} failed with ${code}:\n${stdout}${stderr}`, { cause: error })
    }
  }
  return {
    exec,
    start: (env, program, ...args) =>
      spawn('nsenter', [...namespaces(), '--', program, ...args], {
        env: { ...own, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    sh: (script, ...args) => exec('sh', '-euc', script, 'sh', ...args),
    address: addressIn(rig, index),
    path: (file) => join('/proc', pid(), 'root', file),
  }
}
