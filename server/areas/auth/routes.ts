import * as contract from '../../../contract/auth.ts'
import * as user from '../../../contract/user.ts'
import { withMinimumDuration } from '../../platform/async.ts'
import { ReplyWithHeaders, successReply, route } from '../../route.ts'
import { getSettings } from '../../settings.ts'
import { listActivity, listUserActivity } from './account-events.ts'
import { identifyBrowser } from './device.ts'
import { startGitHubLogin } from './github-login.ts'
import { findLoginClient } from './github-app.ts'
import { logIn } from './log-in.ts'
import { changePassword, requestPasswordReset, resetPassword } from './password.ts'
import { endSession, listSessions } from './session.ts'
import { findSetupState } from './setup-link.ts'
import { confirmTwoFactor, renewRecoveryCodes, startTwoFactor, stopTwoFactor } from './two-factor.ts'
import { getUser, renameUser } from './user.ts'
import { verifyEmail } from './verify-email.ts'

export const routes = [
  route(contract.getAuthOptions, async (ctx) => ({
    github: Boolean(await findLoginClient(ctx)),
    signup: (await getSettings(ctx)).signup,
    setup: await findSetupState(ctx),
    mail: Boolean(ctx.mail),
    documentation_url: ctx.config.DOCUMENTATION_URL,
  })),
  route(contract.logIn, async (ctx, { body, caller }) => {
    const { client, headers } = identifyBrowser(ctx.config, caller)
    return new ReplyWithHeaders({ access_token: await logIn(ctx, body, client) }, headers)
  }),
  route(contract.verifyEmail, async (ctx, { body, caller }) => {
    await verifyEmail(ctx, body, caller)
    return successReply
  }),
  route(contract.forgotPassword, async (ctx, { body }) => {
    await withMinimumDuration(100, () => requestPasswordReset(ctx, body.email))
    return successReply
  }),
  route(contract.resetPassword, async (ctx, { body, caller }) => {
    await resetPassword(ctx, body.token, body.password, caller)
    return successReply
  }),
  route(contract.redirectToLogin, async ({ config }, { query: { setup } }) => {
    const carried = setup === undefined ? '' : `?setup=${encodeURIComponent(setup)}`
    const url = `${config.PUBLIC_URL}/v1/auth/github/redirect${carried}`
    return new ReplyWithHeaders({ url }, { location: url })
  }),
  route(contract.redirectToGitHub, async (ctx, { query }) => {
    const { url, cookie } = await startGitHubLogin(ctx, query.setup)
    return new ReplyWithHeaders({ url }, { location: url, 'set-cookie': cookie })
  }),
  route(contract.logOut, async (ctx, { caller }) => {
    if (caller.via.kind === 'session') await endSession(ctx, caller, caller.via.id)
    return successReply
  }),
  route(user.getUser, async (ctx, { caller }) => ({ user: await getUser(ctx, caller.user.id) })),
  route(user.updateUser, async (ctx, { caller, body }) => ({
    user: await renameUser(ctx, caller.user.id, body.name),
  })),
  route(user.changePassword, async (ctx, { caller, body }) => {
    await changePassword(ctx, caller, body.current_password, body.password, body.revoke_tokens)
    return successReply
  }),
  route(user.startTwoFactor, (ctx, { caller, body }) => startTwoFactor(ctx, caller, body.password)),
  route(user.confirmTwoFactor, async (ctx, { caller, body }) => ({
    recovery_codes: await confirmTwoFactor(ctx, caller, body.code),
  })),
  route(user.renewRecoveryCodes, async (ctx, { caller, body }) => ({
    recovery_codes: await renewRecoveryCodes(ctx, caller, body.password, body.code),
  })),
  route(user.stopTwoFactor, async (ctx, { caller, body }) => {
    await stopTwoFactor(ctx, caller, body.password, body.code)
    return successReply
  }),
  route(user.listActivity, (ctx, { caller, query }) => listActivity(ctx, caller.user.id, query)),
  route(user.listUserActivity, (ctx, { params, query }) => listUserActivity(ctx, params.id, query)),
  route(user.listSessions, (ctx, { caller }) => listSessions(ctx, caller.user.id, caller.via.id)),
  route(user.endSession, async (ctx, { caller, params }) => {
    await endSession(ctx, caller, params.id)
    return successReply
  }),
]
