import { createHash } from 'node:crypto'
import { StaleCache } from '../../../platform/stale-cache.ts'
import { onWorkerThread } from '../../../platform/worker-thread.ts'
import { type ComposeCheck, checkComposeFile, type ComposeCheckOptions } from './check-compose-file.ts'

const run = onWorkerThread(
  new URL('./check-compose-file.js', import.meta.url),
  'checkComposeFile',
  checkComposeFile,
)

/**
 * For half a minute, so that a file which was checked before a transaction begins is not waited for within it, with a database
 * connection and locks in hand.
 */
const answers = new StaleCache<ComposeCheck>(30_000, 50)

/** `checkFile` on a worker thread: a file of the largest size takes a tenth of a second. */
export async function checkComposeFileInWorker(
  turnOf: string,
  text: string,
  { env, profiles }: Pick<ComposeCheckOptions, 'env' | 'profiles'>,
): Promise<ComposeCheck> {
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
