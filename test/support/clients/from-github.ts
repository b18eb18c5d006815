import { exchangeCode, finishSignIn, redirectToGitHub } from '../../../contract/auth.ts'
import type { Client, Sent } from './client.ts'
import { unique } from '../factories/factories.ts'
import type { FakeGitHub } from '../fakes/github.ts'
import type { World } from '../factories/world.ts'

/** Goes to GitHub in a browser of its own, approves there, and comes back with what ends the sign-in. */
export async function comeBack(slipway: Client, github: FakeGitHub, login: string) {
  const { headers } = await slipway.call(redirectToGitHub.key)
  const body = Object.fromEntries(await github.approve(headers['location'] ?? '', login))
  return { body, headers: { cookie: (headers['set-cookie'] ?? '').split(';')[0] ?? '' } }
}

/** Our one-time code for what GitHub gave, with the cookie of the browser. */
export async function finish(slipway: Client, came: Pick<Sent, 'body' | 'headers'>) {
  const { code } = await slipway.ok(finishSignIn, came)
  return { query: { code }, headers: came.headers }
}

/** A whole sign-in. */
export const signIn = async (slipway: Client, github: FakeGitHub, login: string) =>
  slipway.ok(exchangeCode, await finish(slipway, await comeBack(slipway, github, login)))

/** What somebody new brings back from GitHub. */
export function fromGitHub({ slipway, github }: World) {
  const login = unique('octo').replace('-', '')
  github.addAccount(login)
  return comeBack(slipway, github, login)
}
