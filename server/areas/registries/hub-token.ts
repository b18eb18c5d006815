import type { Context } from '../../context.ts'
import type { RegistryCredentials } from './credentials.ts'
import { logInToHub } from './docker-hub.ts'
import { HubRefused } from './registry-errors.ts'

/** Reuses a token for a few minutes, so that not every call logs in; requests a new one if it was revoked. */
export async function withHubToken<T>(
  ctx: Context,
  { registry, logIn }: RegistryCredentials,
  ask: (token: string) => Promise<T>,
): Promise<T> {
  const key = `${registry.id} ${registry.username} ${registry.password_sealed}`
  const { hubTokens } = ctx.registryCaches
  const token = async () =>
    (
      await hubTokens.get(
        key,
        () => logInToHub(ctx, logIn),
        () => false,
      )
    ).value
  const first = await token()
  try {
    return await ask(first)
  } catch (error) {
    if (!(error instanceof HubRefused) || error.answered !== 401) throw error
    hubTokens.invalidate(key, first)
    return ask(await token())
  }
}
