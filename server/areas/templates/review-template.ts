import type { z } from 'zod'
import type { reviewTemplate as contract } from '../../../contract/templates.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import type { Actor } from '../../route.ts'
import { toApplicationAddress } from '../applications/plan.ts'
import { generatedHost } from '../applications/hosts/generated-host.ts'
import { reviewApplication } from '../applications/review/review.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { applicationFromTemplate, type DeployTemplateInput, toTemplateProblems } from './deploy-template.ts'
import { type LoadedTemplate, loadTemplate, assertDeployable } from './template.ts'

type Review = z.input<(typeof contract)['reply']>['review']

export async function reviewTemplate(
  ctx: Context,
  actor: Actor,
  id: Id<'template'>,
  input: DeployTemplateInput,
): Promise<Review> {
  const loaded = await loadTemplate(ctx, actor, id)
  assertDeployable(loaded)
  const server = await getServerRow(ctx, actor, input.server_id)
  const application = applicationFromTemplate(actor.workspace.id, loaded, input)
  const { steps, warnings, problems, generated_address, plan } = await reviewApplication(
    ctx,
    actor,
    application,
  )
  const [domain] = application.domains
  const https = generatedHost(ctx.config, server, 'any')?.https ?? false
  const route = domain ?? (generated_address === null ? undefined : { host: generated_address, https })
  return {
    steps,
    warnings: [...warnings, ...tooSmall(loaded, server), ...(route ? [] : unreached(loaded, server))],
    problems: toTemplateProblems(problems),
    address: route ? toApplicationAddress(server, route).url : null,
    plan,
  }
}

function tooSmall({ name, memory_bytes: least }: LoadedTemplate, server: ServerRow): string[] {
  if (least === null || server.memory_bytes === null || server.memory_bytes >= least) return []
  return [
    `${name} needs at least ${formatBytes(least)} of memory, but ${server.name} has ${formatBytes(server.memory_bytes)}. Containers are killed when the server runs out of memory.`,
  ]
}

const unreached = ({ name, http, inputs }: LoadedTemplate, server: ServerRow): string[] =>
  http && !inputs.some(({ type }) => type === 'domain')
    ? [
        `${name} gets no URL: ${server.name} has no public address to generate one from. Add a domain now or later.`,
      ]
    : []
