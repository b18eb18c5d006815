import { inBytes } from '../../platform/bytes.ts'
import type { ServerRow } from '../servers/server.ts'
import { domainUrl } from './domain-url.ts'
import { isBind } from './instance.ts'
import type { NewApplication, Plan } from './plan.ts'

type Place = Pick<ServerRow, 'name' | 'http_port' | 'https_port'>

/** What making and deploying it does, in order, as sentences. */
export const stepsOf = (
  server: Place,
  given: NewApplication,
  plan: Pick<Plan, 'slug' | 'generated'>,
): string[] => [
  `Pull the image ${given.source.image} on ${server.name}, unless it is there already.`,
  ...given.volumes.map((mount) => mountStep(server, mount)),
  startStep(given, plan),
  waitStep(given),
  ...routeSteps(server, given, plan),
  ...given.ports.map(
    ({ source, target }) =>
      `Publish port ${source} of ${server.name}: connections to it reach port ${target} in the containers.`,
  ),
  `Keep this release on ${server.name}, so that you can come back to it later.`,
]

const mountStep = ({ name }: Place, { source, target }: { source: string; target: string }) =>
  isBind(source)
    ? `Mount the folder ${source} of ${name} at ${target}.`
    : `Make the volume ${source} on ${name}, unless it is there already, and mount it at ${target}. It outlives deployments, and the application too unless you name it when you delete that.`

function startStep(given: NewApplication, { slug }: Pick<Plan, 'slug'>): string {
  const { replicas, env, labels, memory_limit: memory, cpu_limit: cpu } = given
  const parts = [
    ...(memory === null ? [] : [`at most ${inBytes(memory)} of memory`]),
    ...(cpu === null ? [] : [`at most ${counted(cpu, 'core')}`]),
    ...(env.length === 0 ? [] : [counted(env.length, 'environment variable')]),
    ...(labels.length === 0 ? [] : [counted(labels.length, 'label')]),
  ]
  const many = `Start ${counted(replicas, 'container')}, called ${slug}-1-…`
  const each = replicas > 1 ? 'each with' : 'with'
  return `${many}${parts.length > 0 ? `, ${each} ${listed(parts)}` : ''}. ${restartWords[given.restart]}`
}

const restartWords = {
  always: 'Docker starts it again whenever it ends.',
  'on-failure': 'Docker starts it again when it ends with an error.',
  no: 'When it ends, nobody starts it again.',
}

function waitStep(given: NewApplication): string {
  const { type, path, within_seconds: seconds } = given.health
  const { port, replicas } = given
  const at = port === null ? 'the port that the image exposes' : `port ${port}`
  const well = {
    auto: `its own health check says so; for an image without one, until ${at} answers or, without a port, until it keeps running`,
    http: `${path} on ${at} answers with a status from 200 to 399`,
    tcp: `${at} takes connections`,
    docker: 'its own health check says so',
    none: 'it keeps running for 2 seconds',
  }[type]
  const who = replicas > 1 ? 'each of them' : 'it'
  const others = type === 'none' ? [] : otherPorts(given).map((one) => `until port ${one} takes connections`)
  return `Wait at most ${counted(seconds, 'second')} until ${who} is well: ${listed([`until ${well}`, ...others])}. If that does not happen, it is removed again and the log says why.`
}

/** Where else it has to listen, as something leads there. */
const otherPorts = ({ port, ports, domains }: NewApplication): number[] => {
  const led = [...ports.map(({ target }) => target), ...domains.flatMap((domain) => domain.port ?? [])]
  return [...new Set(led)].filter((one) => one !== port).toSorted((a, b) => a - b)
}

function routeSteps(
  server: Place,
  { domains, port }: NewApplication,
  { generated }: Pick<Plan, 'generated'>,
): string[] {
  const all = [...domains, ...(generated ? [{ ...generated, path: '/', port: null }] : [])]
  return all.map((domain) => {
    const to = domain.port ?? port
    const url = domainUrl(domain, domain.https, server)
    const route = `Lead ${url} to ${to === null ? 'it' : `port ${to} of it`}.`
    return domain.https
      ? `${route} A certificate is asked for; until it is there, the address works without HTTPS.`
      : route
  })
}

export const counted = (many: number, what: string) => `${many} ${what}${many === 1 ? '' : 's'}`

const listed = (parts: string[]) =>
  parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
