import { type Attempt, Failed } from './attempt.ts'
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

/** A power is for an admin to give; nothing where who asks may. */
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
      ? 'This release gives containers power over the server that they do not have now, which needs an admin. Ask one to go back to it.'
      : 'This gives containers power over the server, which needs an admin. Ask one to deploy it, or take it out of the compose file.'
