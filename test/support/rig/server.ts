import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Disk, diskOf } from './disk.ts'
import { type Dockerd, dockerdOf } from './dockerd.ts'
import { type Exec, inside } from './inside.ts'
import { onRig, type Rig } from './rig.ts'
import { hostKeyIn, type Sshd, sshdOf, untilSshAnswers } from './sshd.ts'

/** A real server, as far as anything that reaches it over the network can tell. */
export interface RigServer extends Sshd, Dockerd, Disk {
  index: number
  address: string
  /** The address under which it reaches this machine. */
  machine: string
  port: number
  user: string
  /** What it showed when it was taken, as `ssh-ed25519 AAAA…`. */
  hostKey: string
  /** Runs a program in it, without SSH; resolves with its output. */
  exec: Exec
  /** Its power goes, and its network with it: nothing says goodbye. */
  powerOff(): Promise<void>
  /** Resolves when it can be used; its disk is as it was. */
  powerOn(): Promise<void>
  /** Its power goes, and a copy of its disk is a file from then on. */
  saveDisk(file: string): Promise<void>
  /** Pulls the cable. */
  cut(): Promise<void>
  plug(): Promise<void>
  /** Whether it reaches the rest of the world; it does not unless told. */
  outside(reaches: boolean): Promise<void>
}

export async function serverOf(rig: Rig, index: number, hasDocker: boolean): Promise<RigServer> {
  const it = inside(rig, index)
  const act = (verb: string, ...more: string[]) => onRig(rig, verb, String(index), ...more)
  const key = await readFile(join(rig.folder, String(index), 'hostkey.pub'), 'utf8')
  const dockerd = dockerdOf(it)
  return {
    index,
    address: it.address,
    machine: `${rig.net}.1`,
    port: 22,
    user: 'root',
    hostKey: hostKeyIn(key),
    exec: it.exec,
    ...sshdOf(it),
    ...dockerd,
    ...diskOf(it),
    async powerOff() {
      await act('cable', 'down')
      await act('off')
    },
    async powerOn() {
      await act('on')
      await act('cable', 'up')
      try {
        await untilSshAnswers(it.address)
        if (hasDocker) await dockerd.untilDockerAnswers()
      } catch (error) {
        const boot = await readFile(join(rig.folder, String(index), 'boot.log'), 'utf8')
        const log = await it.sh('tail -n 20 /var/log/sshd.log /var/log/dockerd.log').catch(String)
        throw new Error(`Server ${index} did not come up.\n${boot}${log}`, { cause: error })
      }
    },
    async saveDisk(file) {
      await act('off')
      await act('save', file)
    },
    cut: () => act('cable', 'down'),
    plug: () => act('cable', 'up'),
    outside: (reaches) => act('outside', reaches ? 'yes' : 'no'),
  }
}
