import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import { Invalid, serviceFailed, Problem } from '../../errors.ts'
import { createRegistryClient } from './registry-client.ts'
import { logInToHub, type RegistryLogin } from './docker-hub.ts'
import { dockerHub } from './image-location.ts'
import { credentialsNotChecked, WrongCredentials, wrongCredentials } from './registry-errors.ts'

/** Asks the registry whether it takes them; why it does not is thrown. */
export async function checkCredentials(ctx: Context, host: string, logIn: RegistryLogin): Promise<void> {
  if (host === dockerHub) {
    await logInToHub(ctx, logIn)
    return
  }
  const visit = createRegistryClient(ctx, { host, logIn }, { scope: '', what: 'anything' })
  const { status } = await visit.get('/v2/')
  if (status !== 200)
    throw serviceFailed(visit.who, `status ${status} at /v2/, so it may not be an image registry`)
  if (visit.wasAsked()) return
  // It lets strangers in: that it lets these in says something only if it looks at who they are.
  const takes = async (who: RegistryLogin) => ![401, 403].includes((await visit.getAs('/v2/', who)).status)
  if (!(await takes(logIn))) throw wrongCredentials(visit.who, 401)
  if (await takes({ username: `nobody-${randomUUID()}`, password: randomUUID() }))
    throw credentialsNotChecked(visit.who)
}

/** The same, where they are about to be kept. */
export async function checkCredentialsBeforeSaving(
  ctx: Context,
  host: string,
  logIn: RegistryLogin,
): Promise<void> {
  try {
    await checkCredentials(ctx, host, logIn)
  } catch (error) {
    if (error instanceof WrongCredentials) throw new Invalid({ password: [error.message] })
    if (!(error instanceof Problem) || error.status === 429) throw error
    throw new Problem(
      error.status,
      error.code,
      `${error.message} The credentials were not saved. Save them without a check if only your servers can reach the registry.`,
      error.retryAfter,
    )
  }
}
