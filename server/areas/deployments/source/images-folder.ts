import { z } from 'zod'
import type { Host } from '../../../remote/host.ts'
import { type Attempt, hostFor } from '../run/attempt.ts'

/** Where Docker usually keeps its images. */
export const usualFolder = '/var/lib/docker'

const info = z.object({ DockerRootDir: z.string().min(1).catch(usualFolder) })

/** Milliseconds for which it is not asked again: Docker takes its time to tell, and hardly anybody ever moves them. */
const keptFor = 60 * 60_000
const known = new WeakMap<Host, { folder: string; until: number }>()

/** Where it keeps them on the server. */
export async function findImagesFolder(attempt: Attempt): Promise<string> {
  const host = hostFor(attempt)
  const kept = known.get(host)
  if (kept && kept.until > Date.now()) return kept.folder
  const told = info.parse(await host.docker.json({ path: '/info', signal: attempt.signal }))
  known.set(host, { folder: told.DockerRootDir, until: Date.now() + keptFor })
  return told.DockerRootDir
}
