import type { Id } from '../../../contract/shared/ids.ts'
import type { Role } from '../../../contract/shared/permissions.ts'
import { newId } from '../../../server/platform/ids.ts'
import type { TestSlipway } from '../stages/context.ts'
import { makeApplication, makeDeployment } from './application-factories.ts'
import {
  makeMember,
  makeServer,
  makeSomeone,
  makeUser,
  makeWorkspace,
  type Someone,
  type TestHost,
  unique,
} from './factories.ts'
import type { startFakeHetzner } from '../fakes/clouds/hetzner.ts'
import type { startFakeGitHub } from '../fakes/github.ts'
import type { FakeStripe } from '../fakes/stripe.ts'
import type { RigServer } from '../rig/server.ts'

/** A workspace with objects of every kind, and a caller. */
export interface World {
  slipway: TestSlipway
  github: Awaited<ReturnType<typeof startFakeGitHub>>
  hetzner: Awaited<ReturnType<typeof startFakeHetzner>>
  stripe: FakeStripe
  workspace: Id<'workspace'>
  name: string
  caller: Someone
  /** Another member, changed only by calls. */
  target: Someone
  project: Id<'project'>
  application: Id<'application'>
  /** Ready on a real machine that all worlds share. */
  server: Id<'server'>
  host: RigServer & TestHost
}

export async function makeWorld(
  given: Pick<World, 'slipway' | 'github' | 'hetzner' | 'stripe' | 'host'>,
  role: Role = 'owner',
): Promise<World> {
  const { ctx, db } = given.slipway
  const name = unique('Yard')
  const workspace = await makeWorkspace(db, name)
  const caller = await makeSomeone(db, workspace, role)
  const target = await makeSomeone(db, workspace, 'viewer')
  // A second owner allows everything that an owner may do to themselves.
  await makeMember(db, workspace, await makeUser(db), 'owner')
  const of = { workspace_id: workspace, name }
  const project = newId('project')
  await db
    .insertInto('projects')
    .values({ id: project, ...of })
    .execute()
  const server = await makeServer(ctx, workspace, given.host, { name })
  const application = await makeApplication(db, workspace, server, { name })
  await makeDeployment(db, workspace, { id: application, server }, { actor_name: caller.name })
  await db
    .insertInto('notifications')
    .values({ id: newId('notification'), ...of, type: 'email' })
    .execute()
  await db
    .insertInto('events')
    .values({
      id: newId('event'),
      workspace_id: workspace,
      type: 'workspace.created',
      actor_name: caller.name,
      via: 'session',
    })
    .execute()
  return { ...given, workspace, name, caller, target, project, application, server }
}
