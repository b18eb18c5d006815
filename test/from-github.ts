import { unique } from './factories.ts'
import type { World } from './world.ts'

/** What somebody new brings back from GitHub, and the cookie of the browser that went there. */
export async function fromGitHub({ slipway, github }: World, part: 'body' | 'query') {
  const login = unique('octo').replace('-', '')
  github.addAccount(login)
  const { headers } = await slipway.call('GET /v1/auth/github/redirect')
  const given = Object.fromEntries(await github.approve(headers['location'] ?? '', login))
  return { [part]: given, headers: { cookie: (headers['set-cookie'] ?? '').split(';')[0] ?? '' } }
}
