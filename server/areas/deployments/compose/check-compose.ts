import { howToApprove } from '../../applications/host-access.ts'
import { type Attempt, Failed } from '../run/attempt.ts'
import { examine } from './examine.ts'
import { envOf, modelFor } from './model-for.ts'

/** All that a compose file wants of the server, and whether who asked for it may give it that. */
export async function checkCompose(attempt: Attempt): Promise<void> {
  const { release, deployment, signal, log } = attempt
  const model = await modelFor(attempt)
  if (!model) return
  const { refused, powers, warnings } = await examine(attempt, model, {
    env: envOf(attempt),
    release,
    signal,
  })
  const [first, ...more] = refused
  if (first !== undefined) throw new Failed(first, more)
  const why = whyNotAllowed({ powers, mayEmpower: deployment.may_empower, isBack: release !== undefined })
  if (why !== undefined) throw new Failed(why, powers)
  for (const one of warnings) log.say(`Warning: ${one}`)
}

/** Also what an admin reads who deployed without having looked at a plan. */
const hostAccessUnapproved = `This deployment needs host access that was not approved by an admin. ${howToApprove} Or remove it from the compose file.`

/** Says why host access is refused; undefined where it is approved. */
export const whyNotAllowed = ({
  powers,
  mayEmpower,
  isBack,
}: {
  powers: readonly string[]
  mayEmpower: boolean
  isBack: boolean
}): string | undefined =>
  powers.length === 0 || mayEmpower
    ? undefined
    : isBack
      ? 'This release needs host access that the live release does not have. Ask an admin to roll back to it.'
      : hostAccessUnapproved
