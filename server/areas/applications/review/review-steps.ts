import { writeCommandLine } from '../../../../contract/shared/command-line.ts'
import { formatBytes, formatBytesExact } from '../../../../contract/shared/bytes.ts'
import { formatCount, formatList } from '../../../../contract/shared/format-list.ts'
import type { ServerRow } from '../../servers/server.ts'
import { domainUrl } from '../hosts/domain-url.ts'
import { isBind } from '../instance.ts'
import type { NewApplication, Plan } from '../plan-application.ts'
import { buildLimits } from '../source.ts'
import type { SourceInput } from '../source-input.ts'
import type { z } from 'zod'
import type { deploymentPlan as planContract } from '../../../../contract/compose.ts'
import { needsAdminSentence } from '../../compose/check/privilege-rules.ts'
import type { ReadCompose } from '../compose.ts'

type ReviewServer = Pick<ServerRow, 'name' | 'http_port' | 'https_port' | 'memory_bytes' | 'cpus'>

export const describeSteps = (
  server: ReviewServer,
  input: NewApplication,
  plan: Pick<Plan, 'slug' | 'generated' | 'compose'>,
): string[] => [
  ...(plan.compose ? composeSteps(server.name, input, plan.compose) : imageSteps(server, input, plan)),
  ...routeSteps(server, input, plan),
  ...input.ports.map(
    ({ source, target }) =>
      `Publish port ${source} of ${server.name} to port ${target} of the ${formatContainers(input)}.`,
  ),
  ...publishSteps(server, plan.compose),
  'Keep this release for rollback.',
]

/** Skips ports of the proxy, which a warning covers. */
const publishSteps = (server: ReviewServer, compose: Plan['compose']): string[] =>
  (compose?.services ?? []).flatMap(({ name, published }) =>
    published
      .filter(
        ({ source, protocol }) =>
          protocol !== 'tcp' || (source !== server.http_port && source !== server.https_port),
      )
      .map(
        ({ host, source, target, protocol }) =>
          `Publish port ${source}${protocol === 'tcp' ? '' : `/${protocol}`} of ${server.name}${host === '' ? '' : ` on ${host} only`} to port ${target} of ${name}.`,
      ),
  )

const imageSteps = (server: ReviewServer, input: NewApplication, plan: Pick<Plan, 'slug'>): string[] => [
  ...('image' in input.source ? [pullStep(server, input.source.image)] : []),
  ...('repository' in input.source ? buildSteps(server, input.source) : []),
  ...input.volumes.map(mountStep),
  startStep(input, plan),
  waitStep(input),
]

/** Tags can move, so the registry is asked even if the image is on the server. */
const pullStep = ({ name }: ReviewServer, image: string) =>
  image.includes('@')
    ? `Pull ${image} on ${name} if needed.`
    : `Pull ${image} on ${name}. Falls back to the copy on the server.`

const formatContainers = ({ replicas }: Pick<NewApplication, 'replicas'>) =>
  replicas > 1 ? 'containers' : 'container'

const mountStep = ({ source, target }: { source: string; target: string }) =>
  isBind(source)
    ? `Mount server folder ${source} at ${target}.`
    : `Create volume ${source} if needed and mount it at ${target}. Its data persists across deployments.`

function startStep(input: NewApplication, { slug }: Pick<Plan, 'slug'>): string {
  const { replicas, env, labels, memory_limit: memory, cpu_limit: cpu, command, restart } = input
  const parts = [
    ...(memory === null ? [] : [`${formatBytesExact(memory)} memory`]),
    ...(cpu === null ? [] : [formatCount(cpu, 'core')]),
    ...(env.length === 0 ? [] : [formatCount(env.length, 'environment variable')]),
    ...(labels.length === 0 ? [] : [formatCount(labels.length, 'label')]),
  ]
  const many = `Start ${formatCount(replicas, 'container')} (${slug}-1-…)`
  const each = replicas > 1 ? 'each with' : 'with'
  return [
    `${many}${parts.length > 0 ? `, ${each} ${formatList(parts)}` : ''}.`,
    ...(command === null
      ? []
      : [`Run ${shortened(writeCommandLine(command))} instead of the command of the image.`]),
    restartText(replicas > 1 ? 'them' : 'it')[restart],
  ].join(' ')
}

const shortened = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

const restartText = (what: string) => ({
  always: `Docker always restarts ${what}.`,
  'on-failure': `Docker restarts ${what} on failure.`,
  no: 'Exited containers are not restarted.',
})

function waitStep(input: NewApplication): string {
  const { type, path, within_seconds: seconds } = input.health
  const { port } = input
  const target = port === null ? 'the port that the image exposes' : `port ${port}`
  const well = {
    auto: `the HEALTHCHECK of the image passes; without one, ${port === null ? 'the exposed port accepts connections, or the container has been running for 2 s' : `${target} accepts connections`}`,
    http: `GET ${path} on ${target} returns a status from 200 to 399`,
    tcp: `${target} accepts connections`,
    docker: 'the HEALTHCHECK of the image passes',
    none: 'the container has been running for 2 s',
  }[type]
  const others = type === 'none' ? [] : otherPorts(input).map((other) => `port ${other} accepts connections`)
  return `Wait up to ${seconds} s for the health check: ${formatList([well, ...others])}. Otherwise the deployment fails and nothing changes.`
}

const otherPorts = ({ port, ports, domains }: NewApplication): number[] => {
  const led = [...ports.map(({ target }) => target), ...domains.flatMap((domain) => domain.port ?? [])]
  return [...new Set(led)].filter((other) => other !== port).toSorted((a, b) => a - b)
}

function routeSteps(
  server: ReviewServer,
  input: NewApplication,
  { generated }: Pick<Plan, 'generated'>,
): string[] {
  const all = [...input.domains, ...(generated ? [{ ...generated, path: '/' }] : [])]
  return all.map((domain) => {
    const to = domain.port ?? input.port
    const url = domainUrl(domain, domain.https, server)
    const port =
      to === null
        ? 'the port that the image exposes'
        : `port ${to} of ${domain.service || `the ${formatContainers(input)}`}`
    const route = `Route ${url} to ${port}.`
    return domain.https ? `${route} A certificate is requested; HTTPS works once it is issued.` : route
  })
}

function buildSteps(
  server: Pick<ServerRow, 'name' | 'memory_bytes' | 'cpus'>,
  source: SourceInput,
): string[] {
  const { repository, branch, submodules, lfs } = source
  const more = [...(submodules ? ['submodules'] : []), ...(lfs ? ['Git LFS files'] : [])]
  const { memory, cpus, minutes } = buildLimits(server, source)
  return [
    `Fetch the latest commit on ${branch} of ${repository}${more.length > 0 ? ` with ${formatList(more)}` : ''} on ${server.name}.`,
    `Build the image ${describeBuilder(source)}, with limits of ${formatBytes(memory)} memory, ${formatCount(cpus, 'core')} and ${formatCount(minutes, 'minute')}.`,
  ]
}

export const buildWarnings = ({ repository, submodules }: SourceInput): string[] =>
  submodules
    ? [
        `With submodules, builds of ${repository} can read every repository of the account that Slipway has access to. So can everyone who can push to ${repository}.`,
      ]
    : []

function describeBuilder({ builder, dockerfile, folder, generated }: SourceInput): string {
  const path = [folder, dockerfile || 'Dockerfile'].filter(Boolean).join('/')
  if (builder === 'railpack') return 'with Railpack'
  if (builder === 'generated')
    return generated === null ? 'with a generated Dockerfile' : 'with the edited Dockerfile'
  return builder === 'dockerfile'
    ? `with ${path}`
    : `with ${path}, or a generated Dockerfile if it is missing`
}

function composeSteps(server: string, { health }: NewApplication, { services }: ReadCompose): string[] {
  const [names, built] = [services, services.filter(({ builds }) => builds)].map((some) =>
    formatList(some.map(({ name }) => name).toSorted()),
  )
  return [
    `Resolve the compose file with Docker Compose on ${server}.`,
    `Pull the images of ${names} if needed.${built === '' ? '' : ` Build the images of ${built}.`}`,
    `Start ${names} in dependency order and wait up to ${health.within_seconds} s for them to become healthy; otherwise the deployment fails and they are removed.`,
  ]
}

/** Based on the file alone; each deployment resolves it with Docker Compose. */
export function firstPlan(asRoot: boolean, { services, found }: ReadCompose): z.input<typeof planContract> {
  const problems = found.filter(({ severity }) => severity === 'error')
  const [hostAccess, warnings] = [true, false].map((isPower) =>
    found.flatMap(({ severity, message, line }) =>
      severity === 'warning' && message.endsWith(needsAdminSentence) === isPower
        ? [`Line ${line}: ${message}`]
        : [],
    ),
  )
  const mayDeploy = (hostAccess ?? []).length === 0 || asRoot
  return {
    services:
      problems.length > 0
        ? []
        : services.map(({ name, image }) => ({ name, action: 'added', reasons: ['New service.'], image })),
    warnings: warnings ?? [],
    host_access: hostAccess ?? [],
    allowed: mayDeploy,
    refusal: mayDeploy
      ? null
      : 'The compose file gives containers host access, so only an admin can deploy it.',
    revision: null,
    problems,
  }
}
