import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { forbidden, Invalid } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { type ApplicationRow, changeApplication } from '../applications/application.ts'
import { createApplication } from '../applications/create.ts'
import type { Plan } from '../applications/plan.ts'
import { getDeploymentRow, presentDeployment } from '../deployments/run/deployment.ts'
import { createDeployment } from '../deployments/request-deployment.ts'
import { canActAsRoot } from '../servers/act-as-root.ts'
import { getServerRow } from '../servers/server.ts'
import {
  applicationFromTemplate,
  type DeployTemplateInput,
  toTemplateProblems,
} from './template-application.ts'
import { fillNotes, sealNotes } from './notes.ts'
import { loadTemplate, assertDeployable } from './template.ts'

/** The application and its first deployment: both or neither. */
export async function deployTemplate(
  ctx: Context,
  actor: Actor,
  id: Id<'template'>,
  given: DeployTemplateInput,
) {
  const found = await loadTemplate(ctx, actor, id)
  assertDeployable(found)
  const mayEmpower = canActAsRoot(actor, await getServerRow(ctx, actor, given.server_id))
  const begun: { id?: Id<'deployment'>; env: Plan['env'] } = { env: [] }
  const along = {
    check: (plan: Plan) => {
      mustBeAllowed(mayEmpower, found.name, plan)
      begun.env = plan.env
    },
    also: async (trx: Trx, row: ApplicationRow) => {
      const asked = { type: 'deploy_application', allowHostAccess: mayEmpower } as const
      const notes_sealed = sealNotes(ctx, row.id, fillNotes(found.notes, begun.env))
      await changeApplication(trx, row.workspace_id, row.id, { notes_sealed })
      begun.id = (await createDeployment(ctx, trx, actor, row, asked)).id
    },
  }
  const wanted = applicationFromTemplate(actor.workspace.id, found, given)
  const { application } = await createApplication(ctx, actor, wanted, along).catch(renamed)
  if (!begun.id) throw new Error('The application was created without its deployment.')
  return {
    application,
    deployment: presentDeployment(ctx, await getDeploymentRow(ctx.db, actor.workspace.id, begun.id)),
    notes: fillNotes(found.notes, begun.env),
  }
}

/** Checks the file only; the deployment reads it with Docker Compose. */
function mustBeAllowed(mayEmpower: boolean, name: string, { compose }: Plan): void {
  const powers = compose?.powers ?? []
  if (powers.length > 0 && !mayEmpower)
    throw forbidden(
      `Template ${name} gives containers host access, so only an admin can deploy it. ${powers.join(' ')}`,
    )
}

function renamed(error: unknown): never {
  throw error instanceof Invalid ? new Invalid(toTemplateProblems(error.errors)) : error
}
