import { execFile } from 'node:child_process'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { madeOnce } from './once.ts'

/** An image made of this machine's own programs: no registry is asked. */
export interface RigImage {
  /** With its tag. */
  name: string
  /** A tar of its root. */
  file: string
  /** What a Dockerfile would say of it. */
  changes: string[]
}

const path = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** A shell with the usual small programs, a web server among them; sleeps unless told otherwise. */
export const busyboxImage = (): Promise<RigImage> =>
  imageOf('rig/busybox:latest', [], [path, 'CMD ["sleep", "infinity"]'])

/** Debian's HAProxy. As in the official image the program stands in the command and not in the entrypoint. */
export const proxyImage = (): Promise<RigImage> =>
  imageOf(
    'rig/proxy:latest',
    ['/usr/sbin/haproxy'],
    [path, 'CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]'],
  )

/** A server that does what its environment says: see fixtures/app.mjs, and load-app.ts for more versions of it. */
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
