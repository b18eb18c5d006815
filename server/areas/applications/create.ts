import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { canActAsRoot } from '../servers/act-as-root.ts'
import { getServerRow } from '../servers/server.ts'
import { assertNotDeleting } from '../servers/assert-server-usable.ts'
import { checkHostMounts, volumes } from './entries/volumes.ts'
import { requestProof } from './hosts/certificate-request.ts'
import { composeColumns } from './compose.ts'
import { insertDomains, upsertPorts } from './entries/entries-store.ts'
import { addSource, findRepository } from './source-input.ts'
import { claimHosts } from './hosts/host-names.ts'
import { labels } from './entries/labels.ts'
import { toApplicationDetails } from './list-applications.ts'
import { emitApplicationChange } from './application.ts'
import { computeFirstRevision, sealCommand } from './config.ts'
import { checkComposePlan, type NewApplication, type Plan, planApplication } from './plan.ts'
import { findBusyPorts, assertNoProblems, portRows } from './entries/ports.ts'
import { requestProxySync } from '../servers/proxy-sync.ts'
import { checkBuilder } from './host-access.ts'
import { type ApplicationRow, insertApplication } from './store.ts'
import { takeOverHosts } from './hosts/release-host.ts'
import { variables } from './entries/variables.ts'
import { writeEntries } from './entries/entry-list.ts'

interface Along {
  check: (plan: Plan) => void
  also: (trx: Trx, application: ApplicationRow) => Promise<void>
}

export async function createApplication(ctx: Context, actor: Actor, given: NewApplication, along?: Along) {
  const server = await getServerRow(ctx, actor, given.server_id)
  assertNotDeleting(server)
  const asRoot = canActAsRoot(actor, server)
  checkMounts(asRoot, given)
  const found = 'repository' in given.source ? await findRepository(ctx, actor, given.source) : undefined
  if (found && 'repository' in given.source) checkBuilder(asRoot, { ...given.source, ...found })
  assertNoProblems(await findBusyPorts(ctx, server, given.ports))
  const hosts = given.domains.map(({ host }) => host)
  await takeOverHosts(ctx, actor.workspace.id, hosts)
  await checkComposePlan(ctx, server, given)
  const { row, revision } = await transaction(ctx.db, async (trx) => {
    await claimHosts(ctx, trx, actor.workspace.id, hosts)
    const plan = await planApplication(ctx, trx, server, given)
    assertNoProblems(plan.problems)
    along?.check(plan)
    const application = await insertApplication(trx, rowOf(ctx, actor, given, plan))
    // Locks the server; its deletion may have started since it was read.
    assertNotDeleting(await getServerRow({ ...ctx, db: trx }, actor, server.id))
    if (found && 'repository' in given.source) await addSource(ctx, trx, application, given.source, found)
    await insertEntries(ctx, trx, application, { ...given, env: plan.env })
    await insertRoutes(ctx, trx, application, given, plan)
    await emitApplicationChange(trx, actor, application, 'application.created')
    await along?.also(trx, application)
    return { row: application, revision: await computeFirstRevision(ctx, trx, application) }
  })
  return { application: await toApplicationDetails(ctx, row), revision }
}

export const checkMounts = (asRoot: boolean, given: NewApplication) =>
  checkHostMounts(
    asRoot,
    given.volumes.map((mount, index) => ({ ...mount, index })),
    ({ index }) => `volumes.${index}.`,
  )

const rowOf = (ctx: Context, actor: Actor, given: NewApplication, { slug, compose }: Plan) => {
  const id = newId('application')
  const { source } = given
  return {
    ...settingsOf(given),
    command_sealed: sealCommand(ctx, id, given.command),
    id,
    workspace_id: actor.workspace.id,
    slug,
    source_type: source.type,
    image: 'image' in source ? source.image : null,
    ...('compose' in source && compose && composeColumns(ctx, id, source, compose)),
  }
}

const settingsOf = (given: NewApplication) => ({
  server_id: given.server_id,
  project_id: given.project_id ?? null,
  name: given.name,
  port: given.port,
  health: JSON.stringify(given.health),
  memory_limit: given.memory_limit,
  cpu_limit: given.cpu_limit,
  replicas: given.replicas,
  restart: given.restart,
  stop_seconds: given.stop_seconds,
  drain_seconds: given.drain_seconds,
  stop_first: given.stop_first,
  auto_rollback: given.auto_rollback,
})

async function insertEntries(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  given: NewApplication,
): Promise<void> {
  const made = <Row, Given>(
    { make }: { make: (ctx: Context, owner: ApplicationRow, given: Given, position: number) => Row },
    list: readonly Given[],
  ) => list.map((one, position) => make(ctx, application, one, position))
  await writeEntries(trx, application.workspace_id, 'variables', [], made(variables, given.env))
  await writeEntries(trx, application.workspace_id, 'labels', [], made(labels, given.labels))
  await writeEntries(trx, application.workspace_id, 'volumes', [], made(volumes, given.volumes))
}

async function insertRoutes(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  { domains, ports }: NewApplication,
  { generated }: Plan,
): Promise<void> {
  const { id, workspace_id } = application
  const all = [
    ...domains.map((domain) => ({ ...domain, generated: false })),
    ...(generated ? [{ ...generated, path: '/', generated: true }] : []),
  ]
  const rows = all.map((domain) => ({
    ...domain,
    id: newId('domain'),
    workspace_id,
    application_id: id,
  }))
  if (generated) await claimHosts(ctx, trx, workspace_id, [generated.host], { generated: generated.host })
  await insertDomains(trx, workspace_id, rows)
  for (const host of new Set(all.map((domain) => domain.host)))
    await requestProof(ctx, trx, workspace_id, {
      host,
      https: all.some((domain) => domain.host === host && domain.https),
    })
  await upsertPorts(trx, workspace_id, portRows(application, ports))
  if (all.length + ports.length > 0) await requestProxySync(ctx, trx, application)
}
