import { createHash } from 'node:crypto'
import { StaleCache } from '../../../platform/stale-cache.ts'
import { onWorkerThread } from '../../../platform/worker-thread.ts'
import { type Checked, checkFile, type Given } from './check-file.ts'

const run = onWorkerThread(new URL('./check-file.js', import.meta.url), 'checkFile', checkFile)

/**
 * For half a minute, so that a file which was checked before a transaction begins is not waited for within it, with a database
 * connection and locks in hand.
 */
const answers = new StaleCache<Checked>(30_000, 50)

/** `checkFile` on a worker thread: a file of the largest size takes a tenth of a second. */
export async function checkFileOffLoop(
  turnOf: string,
  text: string,
  { env, profiles }: Pick<Given, 'env' | 'profiles'>,
): Promise<Checked> {
  const hash = createHash('sha256')
    .update(JSON.stringify([text, env, profiles]))
    .digest('base64')
  const { value } = await answers.get(
    hash,
    () => run(turnOf, text, { env, profiles }),
    () => false,
  )
  return value
}
