import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Rig } from './rig.ts'

/** Runs a program in a server, without SSH; resolves with its output, rejects with what it said of its failure. */
export type Exec = (program: string, ...args: string[]) => Promise<string>

/** What a server is made of, for the parts that act on it. */
export interface Inside {
  exec: Exec
  /** A constant script that finds the arguments in $1, $2, … */
  sh: (script: string, ...args: string[]) => Promise<string>
  address: string
  /** The path under which this machine sees a file of the server, its sockets included. */
  path: (file: string) => string
}

const run = promisify(execFile)
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export const addressIn = ({ net }: Rig, index: number) => `${net}.${10 + index}`

export function inside(rig: Rig, index: number): Inside {
  function pid(): string {
    const first = readFileSync(join(rig.folder, String(index), 'pid'), 'utf8').trim()
    // A number can come to stand for another process: what is meant for a server never happens to this machine.
    const [its, ours] = [`/proc/${first}/ns/net`, `/run/netns/${rig.prefix}${index}`].map(
      (file) => statSync(file).ino,
    )
    if (its !== ours) throw new Error(`Server ${index} does not run.`)
    return first
  }
  const exec: Exec = async (program, ...args) => {
    const namespaces = ['-t', pid(), '-n', '-m', '-p', '-u', '-i', '-r', '-w']
    try {
      const { stdout } = await run('nsenter', [...namespaces, '--', program, ...args], {
        env: { PATH, HOME: '/root', LANG: 'C.UTF-8' },
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
    sh: (script, ...args) => exec('sh', '-euc', script, 'sh', ...args),
    address: addressIn(rig, index),
    path: (file) => join('/proc', pid(), 'root', file),
  }
}
