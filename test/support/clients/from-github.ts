import { exchangeCode, finishLogin, redirectToGitHub } from '../../../contract/auth.ts'
import type { Client, CallOptions } from './client.ts'
import { unique } from '../factories/factories.ts'
import type { FakeGitHub } from '../fakes/github.ts'
import type { World } from '../factories/world.ts'

/** Approves at GitHub in a separate browser and returns the callback fields. */
export async function comeBack(slipway: Client, github: FakeGitHub, login: string) {
  const { headers } = await slipway.call(redirectToGitHub.key)
  const body = Object.fromEntries(await github.approve(headers['location'] ?? '', login))
  return { body, headers: { cookie: (headers['set-cookie'] ?? '').split(';')[0] ?? '' } }
}

/** Exchanges GitHub's code for our one-time code. */
export async function finish(slipway: Client, came: Pick<CallOptions, 'body' | 'headers'>) {
  const { code } = await slipway.ok(finishLogin, came)
  return { query: { code }, headers: came.headers }
}

export const logIn = async (slipway: Client, github: FakeGitHub, login: string) =>
  slipway.ok(exchangeCode, await finish(slipway, await comeBack(slipway, github, login)))

/** Callback fields of a new user. */
export function fromGitHub({ slipway, github }: World) {
  const login = unique('octo').replace('-', '')
  github.addAccount(login)
  return comeBack(slipway, github, login)
}
