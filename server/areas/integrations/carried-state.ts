import { z } from 'zod'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { Person } from '../../route.ts'

const carried = z.object({ user: z.string(), workspace: z.string(), at: z.number() })
const longest = 3_600_000

/** Whoever sets up the App of the instance may be in no workspace. */
type Sender = Pick<Person, 'user' | 'workspace'>

type Purpose = 'connect' | 'app'
const placeOf = (purpose: Purpose) => `state.github.${purpose}`

/** What the browser carries to GitHub and back: who went there, for which workspace, and when. */
export const sealState = ({ secrets }: Context, { user, workspace }: Sender, purpose: Purpose): string =>
  secrets.seal(
    placeOf(purpose),
    JSON.stringify({ user: user.id, workspace: workspace?.id ?? '', at: Date.now() }),
  )

/** Throws unless this person went, for this workspace, within the last hour. */
export function openState(ctx: Context, { user, workspace }: Sender, purpose: Purpose, state: string): void {
  const { user: who, workspace: where, at } = read(ctx, purpose, state)
  if (who === user.id && where === (workspace?.id ?? '') && at > Date.now() - longest) return
  throw new Problem(
    404,
    'github_state_lost',
    'You were not sent to GitHub from this workspace, or that was more than an hour ago. Begin again.',
  )
}

/** One that is not of ours is nobody’s, and from never. */
function read({ secrets }: Context, purpose: Purpose, state: string): z.output<typeof carried> {
  try {
    return carried.parse(JSON.parse(secrets.open(placeOf(purpose), state)))
  } catch {
    return { user: '', workspace: '', at: 0 }
  }
}
