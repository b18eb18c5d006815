import { execFile } from 'node:child_process'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { madeOnce } from './once.ts'

/** Built from programs of this machine, without a registry. */
export interface RigImage {
  name: string
  /** Root file system as tar. */
  file: string
  /** Dockerfile instructions. */
  changes: string[]
}

const path = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** A shell with common programs; sleeps by default. */
export const busyboxImage = (): Promise<RigImage> =>
  imageOf('rig/busybox:latest', [], [path, 'CMD ["sleep", "infinity"]'])

/** Debian's HAProxy. Uses the command instead of an entrypoint, like the official image. */
export const proxyImage = (): Promise<RigImage> =>
  imageOf(
    'rig/proxy:latest',
    ['/usr/sbin/haproxy'],
    [path, 'CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]'],
  )

/** A configurable server: see fixtures/app.mjs and load-app.ts. */
export const appImage = (): Promise<RigImage> =>
  imageOf(
    'rig/app:latest',
    [process.execPath, `${join(import.meta.dirname, 'fixtures/app.mjs')}=/app/app.mjs`],
    [path, 'ENV VERSION=latest', 'EXPOSE 3000', `CMD ["${process.execPath}", "/app/app.mjs"]`],
  )

async function imageOf(name: string, programs: string[], changes: string[]): Promise<RigImage> {
  const place = join(inject('rig')?.folder ?? '', `${name.replaceAll(/\W/g, '-')}.tar`)
  const file = await madeOnce(place, async (to) => {
    await promisify(execFile)(join(import.meta.dirname, 'image.sh'), [`${to}.part`, ...programs])
    await rename(`${to}.part`, to)
  })
  return { name, file, changes }
}
