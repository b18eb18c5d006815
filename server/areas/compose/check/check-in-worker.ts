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
 * Memoizes a pure function for 30 seconds, so that a file checked before a transaction is not checked again while a
 * connection and locks are held.
 */
const answers = new StaleCache<ComposeCheck>(30_000, 50)

/** Runs on a worker thread, because the largest file takes 100 ms. */
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
