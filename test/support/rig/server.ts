import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../../server/root.ts'
import { type Disk, diskOf } from './disk.ts'
import { type Dockerd, dockerdOf } from './dockerd.ts'
import { type Exec, inside, type Start } from './inside.ts'
import { onRig, type Rig } from './rig.ts'
import { hostKeyIn, type Sshd, sshdOf, untilSshAnswers } from './sshd.ts'

/** A server that is indistinguishable over the network. */
export interface RigServer extends Sshd, Dockerd, Disk {
  index: number
  address: string
  /** Address of this machine. */
  machine: string
  port: number
  user: string
  /** Initial host key, as `ssh-ed25519 AAAA…`. */
  hostKey: string
  /** Runs a program without SSH. */
  exec: Exec
  start: Start
  /** Shows this checkout at its path, which is hidden otherwise. */
  showProject(): Promise<void>
  /** Powers off without closing connections. */
  powerOff(): Promise<void>
  /** Resolves when usable; the disk is unchanged. */
  powerOn(): Promise<void>
  /** Powers off and saves the disk to a file. */
  saveDisk(file: string): Promise<void>
  /** Disconnects the network. */
  cut(): Promise<void>
  plug(): Promise<void>
  /** Enables access to the internet; off by default. */
  outside(reaches: boolean): Promise<void>
}

const uncover = `
place=$1
while [ "$place" != / ]; do
  ! mountpoint -q "$place" || umount "$place"
  place=$(dirname "$place")
done
[ -e "$1/package.json" ] || { echo "This checkout is not on the disk of this machine's root." >&2; exit 1; }`

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
    start: it.start,
    async showProject() {
      await it.sh(uncover, root)
    },
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
