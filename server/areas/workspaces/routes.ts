import * as auth from '../../../contract/auth.ts'
import * as contract from '../../../contract/workspaces.ts'
import { withMinimumDuration } from '../../platform/async.ts'
import { ReplyWithHeaders, successReply, route } from '../../route.ts'
import { knowBrowser, type KnownVisitor } from '../auth/device.ts'
import { acceptInvite, inviteMember, listInvites, withdrawInvite } from './invite.ts'
import { join } from './join.ts'
import { changeRole, listMembers, removeMember } from './member.ts'
import { signUp } from './sign-up.ts'
import {
  changeWorkspace,
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from './workspace.ts'
import type { Context } from '../../context.ts'
import { readCookie } from '../auth/cookies.ts'
import { finishGitHub } from '../auth/github.ts'
import { beginSession } from '../auth/log-in.ts'
import { issueSignInCode, takeSignInCode } from '../auth/waiting-sign-in.ts'
import { signInWithGitHub } from './sign-in-with-github.ts'

/** Returns a one-time code after the GitHub redirect, for the browser that started it. */
async function finishSignIn(ctx: Context, given: { code: string; state: string }, from: KnownVisitor) {
  const cookie = readCookie(ctx.config, from, 'slipway_github')
  const { profile, setup } = await finishGitHub(ctx, { ...given, cookie })
  const { user, isSignup } = await signInWithGitHub(ctx, profile, from, setup)
  return { code: await issueSignInCode(ctx, given.state, user, isSignup) }
}

/** Exchanges our one-time code for a session. GitHub's own code is never accepted here. */
async function exchangeCode(
  ctx: Context,
  given: { code: string; otp?: string | undefined },
  from: KnownVisitor,
) {
  const cookie = readCookie(ctx.config, from, 'slipway_github')
  const { user, isSignup } = await takeSignInCode(ctx, { ...given, cookie }, from)
  return { token: { token: await beginSession(ctx, user.id, from, 'GitHub') }, is_signup: isSignup }
}

export const routes = [
  route(auth.signUp, async (ctx, { body, caller }) => {
    const { visitor, headers } = knowBrowser(ctx.config, caller)
    await withMinimumDuration(200, () => signUp(ctx, body, visitor))
    return new ReplyWithHeaders(successReply, headers)
  }),
  route(auth.join, async (ctx, { body, caller }) => {
    const { visitor, headers } = knowBrowser(ctx.config, caller)
    await join(ctx, body, visitor)
    return new ReplyWithHeaders(successReply, headers)
  }),
  route(auth.finishSignIn, async (ctx, { body, caller }) => {
    const { visitor, headers } = knowBrowser(ctx.config, caller)
    return new ReplyWithHeaders(await finishSignIn(ctx, body, visitor), headers)
  }),
  route(auth.exchangeCode, async (ctx, { query, caller }) => {
    const { visitor, headers } = knowBrowser(ctx.config, caller)
    return new ReplyWithHeaders(await exchangeCode(ctx, query, visitor), headers)
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
    workspace: await changeWorkspace(ctx, caller, params.id),
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
  route(contract.withdrawInvite, async (ctx, { caller, params }) => {
    await withdrawInvite(ctx, caller, params.id)
    return successReply
  }),
  route(contract.acceptInvite, async (ctx, { caller, body }) => ({
    ...successReply,
    workspace: await acceptInvite(ctx, caller, body.token),
  })),
]
