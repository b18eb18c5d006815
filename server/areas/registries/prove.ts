import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import { Invalid, serviceFailed, Problem } from '../../errors.ts'
import { visitRegistry } from './distribution.ts'
import { logInToHub, type LogIn } from './hub.ts'
import { dockerHub } from './image-place.ts'
import { asksNobody, WrongLogIn, wrongLogIn } from './registry-errors.ts'

/** Asks the registry whether it takes them; why it does not is thrown. */
export async function prove(ctx: Context, host: string, logIn: LogIn): Promise<void> {
  if (host === dockerHub) {
    await logInToHub(ctx, logIn)
    return
  }
  const visit = visitRegistry(ctx, { host, logIn }, { scope: '', what: 'anything' })
  const { status } = await visit.get('/v2/')
  if (status !== 200)
    throw serviceFailed(visit.who, `status ${status} at /v2/, so it may not be an image registry`)
  if (visit.wasAsked()) return
  // It lets strangers in: that it lets these in says something only if it looks at who they are.
  const takes = async (who: LogIn) => ![401, 403].includes((await visit.getAs('/v2/', who)).status)
  if (!(await takes(logIn))) throw wrongLogIn(visit.who, 401)
  if (await takes({ username: `nobody-${randomUUID()}`, password: randomUUID() })) throw asksNobody(visit.who)
}

/** The same, where they are about to be kept. */
export async function proveFirst(ctx: Context, host: string, logIn: LogIn): Promise<void> {
  try {
    await prove(ctx, host, logIn)
  } catch (error) {
    if (error instanceof WrongLogIn) throw new Invalid({ password: [error.message] })
    if (!(error instanceof Problem) || error.status === 429) throw error
    throw new Problem(
      error.status,
      error.code,
      `${error.message} The credentials were not saved. Save them without a check if only your servers can reach the registry.`,
      error.retryAfter,
    )
  }
}
