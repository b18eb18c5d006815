import { z } from 'zod'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { User } from '../../route.ts'

const carried = z.object({ user: z.string(), workspace: z.string(), at: z.number() })
const longest = 3_600_000

/** An instance owner may have no workspace. */
type Sender = Pick<User, 'user' | 'workspace'>

type Purpose = 'connect' | 'app'
const placeOf = (purpose: Purpose) => `state.github.${purpose}`

/** Sealed OAuth state: user, workspace and time. */
export const sealState = ({ secrets }: Context, { user, workspace }: Sender, purpose: Purpose): string =>
  secrets.seal(
    placeOf(purpose),
    JSON.stringify({ user: user.id, workspace: workspace?.id ?? '', at: Date.now() }),
  )

/** Throws unless the state is of this user and workspace and less than an hour old. */
export function openState(ctx: Context, { user, workspace }: Sender, purpose: Purpose, state: string): void {
  const { user: who, workspace: where, at } = read(ctx, purpose, state)
  if (who === user.id && where === (workspace?.id ?? '') && at > Date.now() - longest) return
  throw new Problem(
    404,
    'github_state_lost',
    'This request was not started from this workspace or is more than an hour old. Start again.',
  )
}

/** Returns an empty state for an invalid value. */
function read({ secrets }: Context, purpose: Purpose, state: string): z.output<typeof carried> {
  try {
    return carried.parse(JSON.parse(secrets.open(placeOf(purpose), state)))
  } catch {
    return { user: '', workspace: '', at: 0 }
  }
}
