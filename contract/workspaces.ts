import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { email, givenId, id, name, text, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'
import { roles, shellAccesses } from './shared/permissions.ts'

const role = z.enum(roles, {
  error: ({ input }) => (input === undefined ? 'Is required.' : `Must be one of ${roles.join(', ')}.`),
})

const shellAccess = z.enum(shellAccesses, { error: `Must be one of ${shellAccesses.join(', ')}.` })

export const workspace = z.object({
  id: id('workspace'),
  name: z.string(),
  role,
  shell_access: shellAccess.meta({
    description: 'Who may open terminals and run commands in containers of applications.',
  }),
  on_trial: z.boolean(),
  trial_ends_at: time.nullable(),
  subscription: z
    .object({
      stripe_status: z.string().meta({
        description: '`active` while it gives access, also in the days of grace; else the word of Stripe.',
      }),
      status: z
        .string()
        .meta({ description: '`active` or `trialing` while it gives access; else the word of Stripe.' }),
      plan_name: z.string().nullable(),
      cancel_at: time.nullable(),
      grace_ends_at: time.nullable().meta({
        description: 'Set while a payment is owed: until when it gives access nevertheless.',
      }),
    })
    .nullable(),
  billing: z.boolean().meta({ description: 'Whether plans are paid for on this Slipway.' }),
  locked: z.boolean().meta({
    description: 'Locked by the operator. Members can only leave it. Its applications keep running.',
  }),
  created_at: time,
})

export const member = z.object({
  id: id('member'),
  user_id: id('user'),
  name: z.string(),
  email: z.string(),
  role,
  two_factor: z.boolean().nullable().meta({ description: 'For those who manage members.' }),
  joined_at: time,
})

export const invite = z.object({
  id: id('invite'),
  email: z.string(),
  role,
  invited_by: z.string(),
  url: z.string().nullable().meta({ description: "An owner's invite shows its link to owners only." }),
  expires_at: time,
  created_at: time,
})

export const listWorkspaces = endpoint('GET /v1/workspaces', {
  access: 'user',
  summary: 'The workspaces you belong to',
  query: z.strictObject(pageQuery),
  reply: listOf('workspaces', workspace),
})

export const createWorkspace = endpoint('POST /v1/workspaces', {
  access: 'user',
  session: true,
  summary: 'Make a workspace, which you own and work in from now on',
  body: z.strictObject({ name: name() }),
  reply: z.object({ workspace }),
  status: 201,
  idempotent: true,
})

export const getCurrentWorkspace = endpoint('GET /v1/workspaces/current', {
  access: 'workspace.read',
  whileLocked: true,
  summary: 'The workspace you work in',
  reply: z.object({ workspace }),
})

export const updateWorkspace = endpoint('PUT /v1/workspaces/current', {
  access: 'workspace.update',
  summary: 'Rename the workspace, or change its settings; what is not given stays as it is',
  body: z.strictObject({ name: name().optional(), shell_access: shellAccess.optional() }),
  reply: z.object({ workspace }),
})

export const deleteWorkspace = endpoint('DELETE /v1/workspaces/current', {
  access: 'workspace.delete',
  summary: 'Delete the workspace and all that is in it',
  body: z.strictObject({ name: text(100).meta({ description: "The workspace's name, to be sure." }) }),
  reply: success,
})

export const changeWorkspace = endpoint('POST /v1/workspaces/change/{id}', {
  access: 'user',
  session: true,
  summary: 'Work in another of your workspaces',
  params: z.strictObject({ id: givenId('workspace') }),
  reply: z.object({ workspace }),
})

export const listMembers = endpoint('GET /v1/workspaces/members', {
  access: 'workspace.read',
  whileLocked: true,
  summary: 'The members of the workspace',
  query: z.strictObject(pageQuery),
  reply: listOf('members', member),
})

export const changeRole = endpoint('PUT /v1/workspaces/members/{id}', {
  access: 'members.manage',
  summary: "Change a member's role; only an owner makes or changes owners",
  params: z.strictObject({ id: givenId('member') }),
  body: z.strictObject({ role }),
  reply: z.object({ member }),
})

export const removeMember = endpoint('POST /v1/workspaces/members/remove', {
  access: 'workspace.read',
  session: true,
  open: true,
  whileLocked: true,
  summary: 'Remove a member; anybody may remove themselves, others need the right to manage members',
  body: z.strictObject({ member_id: givenId('member') }),
  reply: success,
})

export const listInvites = endpoint('GET /v1/workspaces/invites', {
  access: 'members.manage',
  summary: 'Invites that wait to be accepted',
  query: z.strictObject(pageQuery),
  reply: listOf('invites', invite),
})

export const inviteMember = endpoint('POST /v1/workspaces/invite', {
  access: 'members.manage',
  summary: 'Invite somebody by email address; a new invite for the same address replaces the old one',
  body: z.strictObject({ email, role: role.default('member') }),
  reply: z.object({ success: z.literal(true), invite }),
  status: 201,
  idempotent: true,
})

export const withdrawInvite = endpoint('DELETE /v1/workspaces/invites/{id}', {
  access: 'members.manage',
  summary: 'Withdraw an invite; its link stops working',
  params: z.strictObject({ id: givenId('invite') }),
  reply: success,
})

export const acceptInvite = endpoint('POST /v1/workspaces/invite/accept', {
  access: 'user',
  session: true,
  summary: 'Accept an invite to your own address and work in that workspace from now on',
  body: z.strictObject({ token: text(200, 1) }),
  reply: z.object({ success: z.literal(true), workspace }),
})
