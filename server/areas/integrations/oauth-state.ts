import { z } from 'zod'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { User } from '../../route.ts'

const oauthState = z.object({ user: z.string(), workspace: z.string(), at: z.number() })
const maxAge = 3_600_000

/** The workspace is optional, because an instance owner may have none. */
type Sender = Pick<User, 'user' | 'workspace'>

type Purpose = 'connect' | 'app'
const stateSealContext = (purpose: Purpose) => `state.github.${purpose}`

/** Seals user, workspace and time as the OAuth state. */
export const sealOAuthState = ({ secrets }: Context, { user, workspace }: Sender, purpose: Purpose): string =>
  secrets.seal(
    stateSealContext(purpose),
    JSON.stringify({ user: user.id, workspace: workspace?.id ?? '', at: Date.now() }),
  )

/** Throws unless the state is of this user and workspace and less than an hour old. */
export function checkOAuthState(
  ctx: Context,
  { user, workspace }: Sender,
  purpose: Purpose,
  state: string,
): void {
  const { user: userId, workspace: workspaceId, at } = readState(ctx, purpose, state)
  if (userId === user.id && workspaceId === (workspace?.id ?? '') && at > Date.now() - maxAge) return
  throw new Problem(
    404,
    'github_state_lost',
    'This request was not started from this workspace or is more than an hour old. Start again.',
  )
}

function readState({ secrets }: Context, purpose: Purpose, state: string): z.output<typeof oauthState> {
  try {
    return oauthState.parse(JSON.parse(secrets.open(stateSealContext(purpose), state)))
  } catch {
    return { user: '', workspace: '', at: 0 }
  }
}
