import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, id } from './shared/ids.ts'
import { email, name, text, time } from './shared/text-fields.ts'
import { pagedList, pageQuery, success } from './shared/replies.ts'
import { roles, shellAccesses } from './shared/permissions.ts'

const role = z.enum(roles, {
  error: ({ input }) => (input === undefined ? 'Is required.' : `Must be one of ${roles.join(', ')}.`),
})

const shellAccess = z.enum(shellAccesses, { error: `Must be one of ${shellAccesses.join(', ')}.` })

export const workspace = z.object({
  id: id('workspace'),
  name: z.string(),
  role,
  shell_access: shellAccess.describe(
    'Who can open terminals and run commands in containers of applications.',
  ),
  on_trial: z.boolean(),
  trial_ends_at: time.nullable(),
  subscription: z
    .object({
      stripe_status: z
        .string()
        .describe(
          '`active` while the subscription gives access, including the grace period; otherwise the status in Stripe.',
        ),
      status: z
        .string()
        .describe(
          '`active` or `trialing` while the subscription gives access; otherwise the status in Stripe.',
        ),
      plan_name: z.string().nullable(),
      cancel_at: time.nullable(),
      grace_ends_at: time
        .nullable()
        .describe('End of the grace period of an overdue payment; null if no payment is overdue.'),
    })
    .nullable(),
  billing: z.boolean().describe('Whether billing is on.'),
  locked: z
    .boolean()
    .describe(
      'Whether an instance owner has locked the workspace. Members of a locked workspace can only leave it. Its applications keep running.',
    ),
  created_at: time,
})

export const member = z.object({
  id: id('member'),
  user_id: id('user'),
  name: z.string(),
  email: z.string(),
  role,
  two_factor: z
    .boolean()
    .nullable()
    .describe('Whether two-factor authentication is on; null if your role cannot manage members.'),
  joined_at: time,
})

export const invite = z.object({
  id: id('invite'),
  email: z.string(),
  role,
  invited_by: z.string(),
  url: z.string().nullable().describe('Invite link; null if the invited role is higher than yours.'),
  expires_at: time,
  created_at: time,
})

export const listWorkspaces = endpoint('GET /v1/workspaces', {
  access: 'user',
  summary: 'List your workspaces',
  query: z.strictObject(pageQuery),
  reply: pagedList('workspaces', workspace),
})

export const createWorkspace = endpoint('POST /v1/workspaces', {
  access: 'user',
  session: true,
  summary: 'Create a workspace and switch to it',
  body: z.strictObject({ name: name() }),
  reply: z.object({ workspace }),
  status: 201,
  idempotent: true,
})

export const getCurrentWorkspace = endpoint('GET /v1/workspaces/current', {
  access: 'workspace.read',
  whileLocked: true,
  summary: 'Get the current workspace',
  reply: z.object({ workspace }),
})

export const updateWorkspace = endpoint('PUT /v1/workspaces/current', {
  access: 'workspace.update',
  summary: 'Rename the workspace or change its settings',
  description: 'Omitted fields do not change.',
  body: z.strictObject({ name: name().optional(), shell_access: shellAccess.optional() }),
  reply: z.object({ workspace }),
})

export const deleteWorkspace = endpoint('DELETE /v1/workspaces/current', {
  access: 'workspace.delete',
  summary: 'Delete the workspace with everything in it',
  body: z.strictObject({ name: text(100).describe('Name of the workspace, as confirmation.') }),
  reply: success,
})

export const changeWorkspace = endpoint('POST /v1/workspaces/change/{id}', {
  access: 'user',
  session: true,
  summary: 'Switch to another workspace',
  params: z.strictObject({ id: idInput('workspace') }),
  reply: z.object({ workspace }),
})

export const listMembers = endpoint('GET /v1/workspaces/members', {
  access: 'workspace.read',
  whileLocked: true,
  summary: 'List the members of the workspace',
  query: z.strictObject(pageQuery),
  reply: pagedList('members', member),
})

export const changeRole = endpoint('PUT /v1/workspaces/members/{id}', {
  access: 'members.manage',
  summary: 'Change the role of a member',
  description: 'Only owners can add or change owners.',
  params: z.strictObject({ id: idInput('member') }),
  body: z.strictObject({ role }),
  reply: z.object({ member }),
})

export const removeMember = endpoint('POST /v1/workspaces/members/remove', {
  access: 'workspace.read',
  session: true,
  open: true,
  whileLocked: true,
  summary: 'Remove a member',
  description: 'Members can remove themselves. Removing others requires permission to manage members.',
  body: z.strictObject({ member_id: idInput('member') }),
  reply: success,
})

export const listInvites = endpoint('GET /v1/workspaces/invites', {
  access: 'members.manage',
  summary: 'List pending invites',
  query: z.strictObject(pageQuery),
  reply: pagedList('invites', invite),
})

export const inviteMember = endpoint('POST /v1/workspaces/invite', {
  access: 'members.manage',
  summary: 'Invite a user by email address',
  description: 'Replaces an earlier invite for the address.',
  body: z.strictObject({ email, role: role.default('member') }),
  reply: z.object({ success: z.literal(true), invite }),
  status: 201,
  idempotent: true,
})

export const revokeInvite = endpoint('DELETE /v1/workspaces/invites/{id}', {
  access: 'members.manage',
  summary: 'Revoke an invite',
  description: 'The link stops working immediately.',
  params: z.strictObject({ id: idInput('invite') }),
  reply: success,
})

export const acceptInvite = endpoint('POST /v1/workspaces/invite/accept', {
  access: 'user',
  session: true,
  summary: 'Accept an invite for your email address and switch to its workspace',
  body: z.strictObject({ token: text(200, 1) }),
  reply: z.object({ success: z.literal(true), workspace }),
})
