import * as oauth from 'oauth4webapi'
import type { Context } from '../../context.ts'
import { Invalid, serviceFailed, serviceTimedOut, Problem } from '../../errors.ts'
import type { OAuthClient } from './github-app.ts'
import { githubKeysWrong } from './github-errors.ts'
import { isTimeout, reasonOf } from './outside-reasons.ts'

/** URL of the OAuth consent page. */
export const authorizeUrl = ({ config }: Context, { id }: OAuthClient, asked: Record<string, string>) =>
  `${config.GITHUB_URL}/login/oauth/authorize?${new URLSearchParams({ client_id: id, ...asked }).toString()}`

interface Came {
  code: string
  state: string
  callback: string
  /** PKCE verifier; missing if GitHub started the flow after an App was installed. */
  verifier?: string
}

/** Exchanges an OAuth code for a user token. */
export async function exchangeForToken(ctx: Context, client: OAuthClient, came: Came): Promise<string> {
  const { GITHUB_URL, OUTSIDE_TIMEOUT } = ctx.config
  const server = { issuer: GITHUB_URL, token_endpoint: `${GITHUB_URL}/login/oauth/access_token` }
  const who = { client_id: client.id }
  try {
    const given = new URLSearchParams({ code: came.code, state: came.state })
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      who,
      oauth.ClientSecretPost(client.secret),
      oauth.validateAuthResponse(server, who, given, came.state),
      came.callback,
      came.verifier ?? oauth.nopkce,
      {
        [oauth.allowInsecureRequests]: GITHUB_URL.startsWith('http:'),
        signal: () => AbortSignal.timeout(OUTSIDE_TIMEOUT * 1000),
      },
    )
    return (await oauth.processAuthorizationCodeResponse(server, who, answer)).access_token
  } catch (error) {
    throw inOurWords(error)
  }
}

function inOurWords(error: unknown): unknown {
  if (error instanceof Problem || error instanceof Invalid) return error
  const why = error instanceof Error ? error : new Error(String(error))
  if (isTimeout(why)) return serviceTimedOut('GitHub')
  const said = why instanceof oauth.ResponseBodyError ? why.error : JSON.stringify(why.cause ?? '')
  if (said.includes('incorrect_client_credentials')) return githubKeysWrong()
  if (why instanceof oauth.ResponseBodyError || said.includes('bad_verification_code'))
    return new Problem(400, 'sign_in_refused', 'GitHub rejected this sign-in. Try again.')
  return serviceFailed('GitHub', reasonOf(why))
}
