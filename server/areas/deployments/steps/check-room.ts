import { aboutBytes, inBytes } from '../../../platform/text/bytes.ts'
import { command } from '../../../remote/command.ts'
import { type Attempt, Failed, hostFor } from '../run/attempt.ts'
import { findImagesFolder, usualFolder } from '../source/images-folder.ts'
import { isRepository, sourceFolder, buildOf, leastLeft } from '../source/source-work.ts'
import { Problem } from '../../../errors.ts'
import { lookUp } from '../../integrations/repository.ts'
import { integrationOf } from '../source/integration-of.ts'

const mebibyte = 1024 ** 2
/** Bytes that have to be free: less than that, and Docker fails half way. */
const leastFree = 100 * mebibyte
/** For a build it is more, but never more than a tenth of a small disk. */
const leastToBuild = { disk: 1024 * mebibyte, memory: 256 * mebibyte }

/** Where nobody sees the folder of Docker's images, the disk of the system is looked at. */
const look = `df -Pk "$2" / 2>/dev/null
cat /proc/meminfo
[ ! -d "$1/git" ] || echo fetched`

interface Room {
  /** Bytes of the disk. */
  free: number
  total: number
  /** Bytes of memory that nobody needs now; nothing where that is not told. */
  memory: number | undefined
  /** Whether a commit of the repository is there already. */
  isFetched: boolean
}

/** Whether there is room for what is to come, before it is begun. */
export async function checkRoom(attempt: Attempt): Promise<void> {
  const { server } = attempt
  // Nearly always they are where they usually are, so nobody waits to hear it.
  const [usual, folder] = await Promise.all([
    lookAt(attempt, usualFolder),
    isRepository(attempt) ? findImagesFolder(attempt) : usualFolder,
  ])
  const room = folder === usualFolder ? usual : await lookAt(attempt, folder)
  const why = whyNoRoom(server.name, room, isRepository(attempt))
  if (why !== undefined) throw new Failed(why)
  if (isRepository(attempt) && !room.isFetched) await warnOfSize(attempt, room.free)
}

async function lookAt(attempt: Attempt, folder: string): Promise<Room> {
  const { application, signal } = attempt
  const asked = command('sh', '-c', look, 'sh', sourceFolder(application.id), folder)
  return readRoom((await hostFor(attempt).run(asked, { signal })).stdout)
}

export function readRoom(text: string): Room {
  const lines = text.split('\n')
  const [, total, , free] = lines[1]?.trim().split(/\s+/) ?? []
  const memory = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1]
  return {
    total: Number(total) * 1024,
    free: Number(free) * 1024,
    memory: memory === undefined ? undefined : Number(memory) * 1024,
    isFetched: lines.includes('fetched'),
  }
}

export function whyNoRoom(
  server: string,
  { free, total, memory }: Room,
  isBuild: boolean,
): string | undefined {
  const least = isBuild ? Math.max(leastFree, Math.min(leastToBuild.disk, total / 10)) : leastFree
  if (free < least)
    return isBuild
      ? `Not enough disk space on ${server}: ${aboutBytes(free)} free, a build needs ${aboutBytes(least)}. Remove unused images or add disk space, then deploy again.`
      : `Not enough disk space on ${server}: ${inBytes(free)} free, a deployment needs ${inBytes(least)}. Remove unused images or add disk space, then deploy again.`
  if (isBuild && memory !== undefined && memory < leastToBuild.memory)
    return `Not enough free memory on ${server}: ${aboutBytes(memory)} free, a build needs ${aboutBytes(leastToBuild.memory)}. Stop other containers or add memory, then deploy again.`
  return undefined
}

/**
 * Bytes that GitHub says it has, against what is free: it is there twice, packed and as files. All that was ever in it counts
 * for that, and only one commit is fetched: whether that fits is seen while it is fetched.
 */
async function warnOfSize(attempt: Attempt, free: number): Promise<void> {
  const { server, log } = attempt
  const { repository } = buildOf(attempt)
  const size = await sizeOf(attempt)
  const needed = size * 1024 * 2
  if (needed + leastLeft * 1024 > free)
    log.say(
      `Warning: ${repository} is about ${aboutBytes(size * 1024)} with its history, and ${server.name} has ${aboutBytes(free)} free. The fetch fails if the latest commit alone is too large.`,
    )
}

/** In kilobytes. What GitHub does not tell now is no reason to wait: whoever fetches it says what is wrong. */
async function sizeOf(attempt: Attempt): Promise<number> {
  try {
    return (await lookUp(attempt.ctx, await integrationOf(attempt), buildOf(attempt))).size
  } catch (error) {
    if (error instanceof Problem) return 0
    throw error
  }
}
