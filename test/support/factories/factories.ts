import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { Insertable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { type Role, roles } from '../../../contract/shared/permissions.ts'
import type { Context } from '../../../server/context.ts'
import { appendOutput } from '../../../server/areas/outputs/output.ts'
import { newId } from '../../../server/platform/ids.ts'
import { hashToken, newToken } from '../../../server/platform/tokens.ts'
import type { KeyPair } from '../../../server/remote/ssh/key-pair.ts'
import type { Db, Tables } from '../../../server/tables.ts'
import type { Installation } from '../fakes/github/state.ts'
import type { RigServer } from '../rig/server.ts'

/** Password of all users. */
export const password = 'correct horse battery staple'
/** Minimal argon2 parameters keep tests fast. */
const passwordHash = hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

export const unique = (prefix: string) => `${prefix}-${randomBytes(5).toString('hex')}`

export interface TestUser {
  id: Id<'user'>
  name: string
  email: string
}

export async function makeUser(
  db: Db,
  given: { email?: string; name?: string; unverified?: boolean } = {},
): Promise<TestUser> {
  const name = given.name ?? unique('Ada')
  const user = { id: newId('user'), name, email: given.email ?? `${unique('ada')}@example.com` }
  const email_verified_at = given.unverified ? null : new Date()
  await db
    .insertInto('users')
    .values({ ...user, password_hash: await passwordHash, email_verified_at })
    .execute()
  return user
}

export const makeInstanceOwner = (db: Db, { id }: Pick<TestUser, 'id'>) =>
  db.updateTable('users').set({ instance_owner: true }).where('id', '=', id).execute()

export async function makeWorkspace(db: Db, name = unique('Yard')): Promise<Id<'workspace'>> {
  const id = newId('workspace')
  const trial_ends_at = new Date(Date.now() + 86_400_000)
  await db.insertInto('workspaces').values({ id, name, trial_ends_at }).execute()
  return id
}

export async function makeMember(
  db: Db,
  workspace_id: Id<'workspace'>,
  user: Pick<TestUser, 'id'>,
  role: Role,
): Promise<Id<'member'>> {
  const id = newId('member')
  await db.insertInto('members').values({ id, workspace_id, user_id: user.id, role }).execute()
  return id
}

interface SessionOptions {
  workspace?: Id<'workspace'> | undefined
  expires?: Date
}

export async function makeSession(db: Db, user: Pick<TestUser, 'id'>, given: SessionOptions = {}) {
  const token = newToken('slp')
  const id = newId('session')
  await db
    .insertInto('sessions')
    .values({
      id,
      user_id: user.id,
      workspace_id: given.workspace ?? null,
      token_hash: hashToken(token),
      address: '192.0.2.1',
      agent: 'a browser',
      expires_at: given.expires ?? new Date(Date.now() + 86_400_000),
    })
    .execute()
  return { id, token }
}

interface TokenOptions extends Partial<Pick<Tables['api_tokens'], 'scope' | 'projects' | 'applications'>> {
  role: Role
  expires?: Date
  created?: Date
}

export async function makeApiToken(db: Db, workspace: Id<'workspace'>, user: TestUser, given: TokenOptions) {
  const token = newToken('slt')
  const id = newId('apiToken')
  await db
    .insertInto('api_tokens')
    .values({
      id,
      workspace_id: workspace,
      user_id: user.id,
      name: 'ci',
      role: given.role,
      scope: given.scope ?? 'manage',
      projects: given.projects ?? null,
      applications: given.applications ?? null,
      token_hash: hashToken(token),
      expires_at: given.expires ?? null,
      ...(given.created && { created_at: given.created }),
    })
    .execute()
  return { id, token }
}

export async function makeInvite(
  ctx: Pick<Context, 'db' | 'secrets'>,
  workspace: Id<'workspace'>,
  given: { email: string; role?: Role; expires?: Date },
) {
  const [token, mailed] = [newToken('inv'), newToken('inv')]
  const id = newId('invite')
  const place = `invites.token_sealed:${workspace}:${given.email}`
  await ctx.db
    .insertInto('invites')
    .values({
      id,
      workspace_id: workspace,
      email: given.email,
      role: given.role ?? 'member',
      token_hash: hashToken(token),
      mailed_token_hash: hashToken(mailed),
      token_sealed: ctx.secrets.seal(place, token),
      invited_by: 'Ada',
      expires_at: given.expires ?? new Date(Date.now() + 86_400_000),
    })
    .execute()
  return { id, token, mailed }
}

/** A machine with its host key and an accepted key pair. */
export interface TestHost extends Pick<RigServer, 'address' | 'port' | 'user' | 'hostKey'> {
  keys: KeyPair
}

/** A unique machine that does not respond. */
export const nowhere = (): TestHost => ({
  address: '192.0.2.7',
  port: 2200,
  user: 'root',
  hostKey: `ssh-ed25519 ${unique('key')}`,
  keys: { privateKey: '', publicKey: 'ssh-ed25519 none' },
})

/** Set up by default. Counts as a machine of its own, even if another row has the same host. */
export async function makeServer(
  ctx: Pick<Context, 'db' | 'secrets'>,
  workspace_id: Id<'workspace'>,
  { address, port, user, hostKey, keys }: TestHost,
  given: Partial<Insertable<Tables['servers']>> = {},
): Promise<Id<'server'>> {
  const id = newId('server')
  await ctx.db
    .insertInto('servers')
    .values({
      id,
      workspace_id,
      name: unique('web'),
      address,
      port,
      username: user,
      status: 'ready',
      host_keys: [hostKey],
      machine: id,
      key_sealed: ctx.secrets.seal(`servers.key_sealed:${id}`, keys.privateKey),
      public_key: keys.publicKey,
      proven_address: address,
      proven_version: 1,
      setup_consented_at: new Date(),
      ...given,
    })
    .execute()
  return id
}

/** Printed one line by default. */
export async function makeCommand(
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  workspace_id: Id<'workspace'>,
  server_id: Id<'server'>,
  given: Partial<Insertable<Tables['commands']>> & { command?: string; output?: string } = {},
): Promise<Id<'command'>> {
  const id = newId('command')
  const { output = 'done\n', command = 'echo done', ...row } = given
  await db
    .insertInto('commands')
    .values({
      id,
      workspace_id,
      server_id,
      command_sealed: secrets.seal(`commands.command_sealed:${id}`, command),
      status: 'completed',
      exit_code: 0,
      timeout_seconds: 60,
      actor_name: 'Ada',
      stdout_offset: output.length,
      finished_at: new Date(),
      ...row,
    })
    .execute()
  await appendOutput({ secrets }, db, workspace_id, id, [{ stream: 'stdout', text: output }])
  return id
}

/** Connected through the App's installation. */
export async function makeIntegration(
  db: Db,
  workspace_id: Id<'workspace'>,
  { id: installation_id, account, selection }: Pick<Installation, 'id' | 'account' | 'selection'>,
): Promise<Id<'integration'>> {
  const id = newId('integration')
  const of = { account_id: account.id, account: account.login, account_type: account.type }
  const row = { id, workspace_id, provider: 'github', installation_id, ...of, repositories: selection }
  await db.insertInto('integrations').values(row).execute()
  return id
}

export interface Someone extends TestUser {
  member: Id<'member'>
  session: Id<'session'>
  token: string
}

export async function makeSomeone(db: Db, workspace: Id<'workspace'>, role: Role): Promise<Someone> {
  const user = await makeUser(db)
  const member = await makeMember(db, workspace, user, role)
  const session = await makeSession(db, user, { workspace })
  return { ...user, member, session: session.id, token: session.token }
}

export async function makeTeam(db: Db) {
  const workspace = await makeWorkspace(db)
  const people = await Promise.all(roles.map((role) => makeSomeone(db, workspace, role)))
  const [viewer, member, admin, owner] = people
  if (!viewer || !member || !admin || !owner) throw new Error('There are four roles.')
  return { workspace, viewer, member, admin, owner }
}
