import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { getServerRow } from '../servers/server.ts'
import { canActAsRoot } from '../servers/root-access.ts'
import { assertNotDeleting } from '../servers/assert-server-usable.ts'
import { checkHostMounts, volumes } from './entries/volumes.ts'
import { requestProof } from './hosts/certificate-request.ts'
import { composeColumns } from './compose.ts'
import { upsertPorts, computeFirstRevision, sealCommand } from './config.ts'
import { addSource, findRepository } from './source-input.ts'
import { claimHosts } from './hosts/host-names.ts'
import { labels } from './entries/labels.ts'
import { toApplicationDetails } from './list-applications.ts'
import { type ApplicationRow, emitApplicationChange, insertApplication } from './application.ts'
import { checkComposePlan, type NewApplication, type Plan, planApplication } from './plan-application.ts'
import { findBusyPorts } from './entries/port-conflicts.ts'
import { assertNoProblems, portRows } from './entries/ports.ts'
import { requestProxySync } from '../servers/proxy-sync.ts'
import { checkBuilder } from './host-access.ts'
import { takeOverHosts } from './hosts/release-host.ts'
import { variables } from './entries/variables.ts'
import { writeEntries } from './entries/entry-list.ts'

interface Along {
  check: (plan: Plan) => void
  also: (trx: Trx, application: ApplicationRow) => Promise<void>
}

export async function createApplication(ctx: Context, actor: Actor, input: NewApplication, along?: Along) {
  const server = await getServerRow(ctx, actor, input.server_id)
  assertNotDeleting(server)
  const asRoot = canActAsRoot(actor, server)
  checkMounts(asRoot, input)
  const repository = 'repository' in input.source ? await findRepository(ctx, actor, input.source) : undefined
  if (repository && 'repository' in input.source) checkBuilder(asRoot, { ...input.source, ...repository })
  assertNoProblems(await findBusyPorts(ctx, server, input.ports))
  const hosts = input.domains.map(({ host }) => host)
  await takeOverHosts(ctx, actor.workspace.id, hosts)
  await checkComposePlan(ctx, server, input)
  const { row, revision } = await transaction(ctx.db, async (trx) => {
    await claimHosts(ctx, trx, actor.workspace.id, hosts)
    const plan = await planApplication(ctx, trx, server, input)
    assertNoProblems(plan.problems)
    along?.check(plan)
    const application = await insertApplication(trx, toApplicationColumns(ctx, actor, input, plan))
    // Locks the server; its deletion may have started since it was read.
    assertNotDeleting(await getServerRow({ ...ctx, db: trx }, actor, server.id))
    if (repository && 'repository' in input.source)
      await addSource(ctx, trx, application, input.source, repository)
    await insertEntries(ctx, trx, application, { ...input, env: plan.env })
    await insertRoutes(ctx, trx, application, input, plan)
    await emitApplicationChange(trx, actor, application, 'application.created')
    await along?.also(trx, application)
    return { row: application, revision: await computeFirstRevision(ctx, trx, application) }
  })
  return { application: await toApplicationDetails(ctx, row), revision }
}

export const checkMounts = (asRoot: boolean, input: NewApplication) =>
  checkHostMounts(
    asRoot,
    input.volumes.map((mount, index) => ({ ...mount, index })),
    ({ index }) => `volumes.${index}.`,
  )

const toApplicationColumns = (ctx: Context, actor: Actor, input: NewApplication, { slug, compose }: Plan) => {
  const id = newId('application')
  const { source } = input
  return {
    ...toSettings(input),
    command_sealed: sealCommand(ctx, id, input.command),
    id,
    workspace_id: actor.workspace.id,
    slug,
    source_type: source.type,
    image: 'image' in source ? source.image : null,
    ...('compose' in source && compose && composeColumns(ctx, id, source, compose)),
  }
}

const toSettings = (input: NewApplication) => ({
  server_id: input.server_id,
  project_id: input.project_id ?? null,
  name: input.name,
  port: input.port,
  health: JSON.stringify(input.health),
  memory_limit: input.memory_limit,
  cpu_limit: input.cpu_limit,
  replicas: input.replicas,
  restart: input.restart,
  stop_grace_seconds: input.stop_grace_seconds,
  drain_seconds: input.drain_seconds,
  stop_first: input.stop_first,
  auto_rollback: input.auto_rollback,
})

async function insertEntries(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  input: NewApplication,
): Promise<void> {
  const toRows = <Row, Given>(
    { create }: { create: (ctx: Context, owner: ApplicationRow, input: Given, position: number) => Row },
    list: readonly Given[],
  ) => list.map((entry, position) => create(ctx, application, entry, position))
  await writeEntries(trx, application.workspace_id, 'variables', [], toRows(variables, input.env))
  await writeEntries(trx, application.workspace_id, 'labels', [], toRows(labels, input.labels))
  await writeEntries(trx, application.workspace_id, 'volumes', [], toRows(volumes, input.volumes))
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
  if (rows.length > 0) await trx.insertInto('domains').values(rows).execute()
  for (const host of new Set(all.map((domain) => domain.host)))
    await requestProof(ctx, trx, workspace_id, {
      host,
      https: all.some((domain) => domain.host === host && domain.https),
    })
  await upsertPorts(trx, workspace_id, portRows(application, ports))
  if (all.length + ports.length > 0) await requestProxySync(ctx, trx, application)
}
