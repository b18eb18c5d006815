import type { Context } from '../../context.ts'
import { receiveDeploy } from './receive-deploy.ts'
import { receiveGitHub } from './receive-github.ts'
import type { Received } from './received.ts'

/** What comes is checked, kept, and looked at later: whoever sent it waits for no more than that. */
export const receive = (ctx: Context, hook: string, given: Received): Promise<void> =>
  hook === 'github' ? receiveGitHub(ctx, given) : receiveDeploy(ctx, hook, given)
