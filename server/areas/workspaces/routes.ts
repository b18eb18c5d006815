import * as auth from '../../../contract/auth.ts'
import * as contract from '../../../contract/workspaces.ts'
import { withMinimumDuration } from '../../platform/async.ts'
import { ReplyWithHeaders, successReply, route } from '../../route.ts'
import { identifyBrowser, readCookie, type RequestWithDevice } from '../auth/device.ts'
import { acceptInvite, inviteMember, listInvites, readInvite, revokeInvite } from './invite.ts'
import { joinWorkspace } from './join-workspace.ts'
import { changeRole, listMembers, removeMember } from './member.ts'
import { signUp } from './sign-up.ts'
import {
  switchWorkspace,
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from './workspace.ts'
import type { Context } from '../../context.ts'
import { finishGitHubLogin, issueLoginCode, redeemLoginCode } from '../auth/github-login.ts'
import { startLoginSession } from '../auth/log-in.ts'
import { logInWithGitHub } from './log-in-with-github.ts'

/** Returns a one-time code after the GitHub redirect, for the browser that started it. */
async function finishLogin(ctx: Context, input: { code: string; state: string }, from: RequestWithDevice) {
  const cookie = readCookie(ctx.config, from, 'slipway_github')
  const { profile, setup } = await finishGitHubLogin(ctx, { ...input, cookie })
  const { user, isSignup } = await logInWithGitHub(ctx, profile, from, setup)
  return { code: await issueLoginCode(ctx, input.state, user, isSignup) }
}

/** Exchanges our one-time code for a session. GitHub's own code is never accepted here. */
async function exchangeCode(
  ctx: Context,
  input: { code: string; otp?: string | undefined },
  from: RequestWithDevice,
) {
  const cookie = readCookie(ctx.config, from, 'slipway_github')
  const { user, isSignup } = await redeemLoginCode(ctx, { ...input, cookie }, from)
  return { token: { token: await startLoginSession(ctx, user.id, from, 'GitHub') }, is_signup: isSignup }
}

export const routes = [
  route(auth.signUp, async (ctx, { body, caller }) => {
    const { client, headers } = identifyBrowser(ctx.config, caller)
    await withMinimumDuration(200, () => signUp(ctx, body, client))
    return new ReplyWithHeaders(successReply, headers)
  }),
  route(auth.join, async (ctx, { body, caller }) => {
    const { client, headers } = identifyBrowser(ctx.config, caller)
    await joinWorkspace(ctx, body, client)
    return new ReplyWithHeaders(successReply, headers)
  }),
  route(auth.readInvite, async (ctx, { body }) => ({ invite: await readInvite(ctx, body.token) })),
  route(auth.finishLogin, async (ctx, { body, caller }) => {
    const { client, headers } = identifyBrowser(ctx.config, caller)
    return new ReplyWithHeaders(await finishLogin(ctx, body, client), headers)
  }),
  route(auth.exchangeCode, async (ctx, { query, caller }) => {
    const { client, headers } = identifyBrowser(ctx.config, caller)
    return new ReplyWithHeaders(await exchangeCode(ctx, query, client), headers)
  }),
  route(contract.listWorkspaces, (ctx, { caller, query }) => listWorkspaces(ctx, caller, query)),
  route(contract.createWorkspace, async (ctx, { caller, body }) => ({
    workspace: await createWorkspace(ctx, caller, body.name),
  })),
  route(contract.getCurrentWorkspace, async (ctx, { caller }) => ({
    workspace: await getWorkspace(ctx, caller.user.id, caller.workspace.id),
  })),
  route(contract.updateWorkspace, async (ctx, { caller, body }) => ({
    workspace: await updateWorkspace(ctx, caller, body),
  })),
  route(contract.deleteWorkspace, async (ctx, { caller, body }) => {
    await deleteWorkspace(ctx, caller, body.name)
    return successReply
  }),
  route(contract.changeWorkspace, async (ctx, { caller, params }) => ({
    workspace: await switchWorkspace(ctx, caller, params.id),
  })),
  route(contract.listMembers, (ctx, { caller, query }) => listMembers(ctx, caller, query)),
  route(contract.changeRole, async (ctx, { caller, params, body }) => ({
    member: await changeRole(ctx, caller, params.id, body.role),
  })),
  route(contract.removeMember, async (ctx, { caller, body }) => {
    await removeMember(ctx, caller, body.member_id)
    return successReply
  }),
  route(contract.listInvites, (ctx, { caller, query }) => listInvites(ctx, caller, query)),
  route(contract.inviteMember, async (ctx, { caller, body }) => ({
    ...successReply,
    invite: await inviteMember(ctx, caller, body),
  })),
  route(contract.revokeInvite, async (ctx, { caller, params }) => {
    await revokeInvite(ctx, caller, params.id)
    return successReply
  }),
  route(contract.acceptInvite, async (ctx, { caller, body }) => ({
    ...successReply,
    workspace: await acceptInvite(ctx, caller, body.token),
  })),
]
