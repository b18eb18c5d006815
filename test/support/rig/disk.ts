import type { Inside } from './inside.ts'

export interface Disk {
  /** Leaves no room on its disk, on which lie its root, its homes and Docker's storage. */
  fillDisk(): Promise<void>
  freeDisk(): Promise<void>
}

export function diskOf({ sh, exec }: Inside): Disk {
  return {
    async fillDisk() {
      // What cannot be had in one piece is written byte by byte, until there is no room.
      await sh(`fallocate -l "$(df --output=avail -B1 / | tail -1)" /filled || true
        cat /dev/zero 2> /dev/null >> /filled-up || true`)
    },
    async freeDisk() {
      await exec('rm', '-f', '/filled', '/filled-up')
    },
  }
}
