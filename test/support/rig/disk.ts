import type { Inside } from './inside.ts'

export interface Disk {
  /** Fills the disk of the server, including Docker's storage. */
  fillDisk(): Promise<void>
  freeDisk(): Promise<void>
}

export function diskOf({ sh, exec }: Inside): Disk {
  return {
    async fillDisk() {
      // Writes the remainder byte by byte.
      await sh(`fallocate -l "$(df --output=avail -B1 / | tail -1)" /filled || true
        cat /dev/zero 2> /dev/null >> /filled-up || true`)
    },
    async freeDisk() {
      await exec('rm', '-f', '/filled', '/filled-up')
    },
  }
}
