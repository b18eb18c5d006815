import type { Context } from '../../context.ts'
import type { ApplicationRow } from '../applications/application.ts'
import { instanceLabels } from '../applications/instance.ts'
import { listNetworkNames, nameProblems, namesIn } from '../applications/network-names.ts'
import type { Model } from '../compose/model.ts'
import { hasNetworks } from '../compose/own-network.ts'
import { findNetworkProject } from '../applications/project.ts'
import { projectNetworkOf } from '../servers/network.ts'
import { hostOf } from '../servers/reach.ts'
import type { ServerRow } from '../servers/server.ts'

interface Of {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
}

/** Names that its containers or its services could not have on the server, as sentences: somebody else has them. */
export async function takenNames(of: Of, model: Model, signal: AbortSignal): Promise<string[]> {
  const { ctx, application, server } = of
  const fixed = Object.entries(model.services).flatMap(([service, { container_name: name }]) =>
    name === undefined ? [] : [{ service, name }],
  )
  const reached = Object.keys(model.services).filter((name) => hasNetworks(model.services[name] ?? {}))
  const own = [
    ...namesIn(application.slug, reached),
    ...fixed
      .filter(({ service }) => reached.includes(service))
      .map(({ service, name }) => ({ name, who: `The service ${service}` })),
  ]
  const names = new Set([...own, ...fixed].map(({ name }) => name))
  const [had, others] = await Promise.all([
    listNetworkNames(ctx.db, application, application.id),
    listOthers(of, [...names], signal),
  ])
  return [
    ...fixed
      .filter(({ name }) => others.some((one) => one.name === name))
      .map(({ service, name }) => whyTaken(server, service, name)),
    // What has the name of a container that it could not have anyway is told once.
    ...nameProblems(
      own.filter(
        ({ name }) => !fixed.some((one) => one.name === name && others.some((two) => two.name === name)),
      ),
      [...had, ...others.filter(({ isReached }) => isReached)],
    ),
  ]
}

const whyTaken = ({ name: server }: ServerRow, service: string, name: string) =>
  `The container_name of ${service} is ${name}, and another container on ${server} is called so already. Choose another name, or remove that container.`

interface Listed {
  Names: string[] | null
  Labels: Record<string, string> | null
  NetworkSettings: { Networks: Record<string, unknown> | null } | null
}

/** Containers that are not of the application and have one of these names; others find those by it that are in the network of its project. */
async function listOthers({ ctx, application, server }: Of, names: string[], signal: AbortSignal) {
  if (names.length === 0) return []
  const patterns = names.map((name) => `^/${name.replaceAll('.', String.raw`\.`)}$`)
  const query = new URLSearchParams({ all: '1', filters: JSON.stringify({ name: patterns }) }).toString()
  const { docker } = hostOf(ctx, server)
  const found = await docker.json<Listed[]>({ path: `/containers/json?${query}`, signal })
  const project = await findNetworkProject(ctx.db, application.workspace_id, application.id)
  const network = project && projectNetworkOf(project.id)
  return found
    .filter(({ Labels }) => Labels?.[instanceLabels.application] !== application.id)
    .flatMap(({ Names, NetworkSettings }) =>
      (Names ?? [])
        .map((one) => one.replace(/^\//, ''))
        .filter((name) => names.includes(name))
        .map((name) => ({
          name,
          who: `the container ${name}`,
          isReached: network !== undefined && Object.hasOwn(NetworkSettings?.Networks ?? {}, network),
        })),
    )
}
