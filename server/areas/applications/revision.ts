import type { Context } from '../../context.ts'
import type { Configured } from './config.ts'

/** Marks what a deployment of a compose file is made of, so that one may ask for just that. Nobody guesses a value from it. */
export const revisionOf = (
  { secrets }: Pick<Context, 'secrets'>,
  { compose, env }: Pick<Configured, 'compose' | 'env'>,
): string | null => (compose ? secrets.mark(JSON.stringify([compose, env])) : null)
