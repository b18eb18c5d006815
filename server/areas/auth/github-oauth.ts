import * as oauth from 'oauth4webapi'
import type { Context } from '../../context.ts'
import { Invalid, serviceFailed, serviceTimedOut, Problem } from '../../errors.ts'
import type { OAuthClient } from './github-app.ts'
import { githubKeysWrong } from './github-api.ts'
import { fetchFailureReason, isTimeoutError } from '../../call-service.ts'

export const authorizeUrl = ({ config }: Context, { id }: OAuthClient, request: Record<string, string>) =>
  `${config.GITHUB_URL}/login/oauth/authorize?${new URLSearchParams({ client_id: id, ...request }).toString()}`

interface OAuthCallback {
  code: string
  state: string
  callback: string
  /** PKCE verifier; missing if GitHub started the flow after the app was installed. */
  verifier?: string
}

export async function exchangeForToken(
  ctx: Context,
  client: OAuthClient,
  callback: OAuthCallback,
): Promise<string> {
  const { GITHUB_URL, OUTSIDE_TIMEOUT } = ctx.config
  const server = { issuer: GITHUB_URL, token_endpoint: `${GITHUB_URL}/login/oauth/access_token` }
  const who = { client_id: client.id }
  try {
    const input = new URLSearchParams({ code: callback.code, state: callback.state })
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      who,
      oauth.ClientSecretPost(client.secret),
      oauth.validateAuthResponse(server, who, input, callback.state),
      callback.callback,
      callback.verifier ?? oauth.nopkce,
      {
        [oauth.allowInsecureRequests]: GITHUB_URL.startsWith('http:'),
        signal: () => AbortSignal.timeout(OUTSIDE_TIMEOUT * 1000),
      },
    )
    return (await oauth.processAuthorizationCodeResponse(server, who, response)).access_token
  } catch (error) {
    throw toLoginProblem(error)
  }
}

function toLoginProblem(error: unknown): unknown {
  if (error instanceof Problem || error instanceof Invalid) return error
  const failure = error instanceof Error ? error : new Error(String(error))
  if (isTimeoutError(failure)) return serviceTimedOut('GitHub')
  const errorCode =
    failure instanceof oauth.ResponseBodyError ? failure.error : JSON.stringify(failure.cause ?? '')
  if (errorCode.includes('incorrect_client_credentials')) return githubKeysWrong()
  if (failure instanceof oauth.ResponseBodyError || errorCode.includes('bad_verification_code'))
    return new Problem(400, 'login_refused', 'GitHub rejected this login. Try again.')
  return serviceFailed('GitHub', fetchFailureReason(failure))
}
