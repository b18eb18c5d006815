import { Problem } from '../../errors.ts'
import { aboutBytes } from '../../platform/bytes.ts'
import { lookUp } from '../integrations/repository.ts'
import type { Attempt } from './attempt.ts'
import { integrationOf } from './integration-of.ts'
import { buildOf, leastLeft } from './source-work.ts'

/**
 * Bytes that GitHub says it has, against what is free: it is there twice, packed and as files. All that was ever in it counts
 * for that, and only one commit is fetched: whether that fits is seen while it is fetched.
 */
export async function warnOfSize(attempt: Attempt, free: number): Promise<void> {
  const { server, log } = attempt
  const { repository } = buildOf(attempt)
  const size = await sizeOf(attempt)
  const needed = size * 1024 * 2
  if (needed + leastLeft * 1024 > free)
    log.say(
      `Warning: ${repository} has about ${aboutBytes(size * 1024)} with its history, and ${server.name} has ${aboutBytes(free)} free. Should the newest commit alone be too large, the fetch is ended.`,
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
