import { writeCommandLine } from '../../../../contract/shared/command-line.ts'
import { inBytes } from '../../../platform/text/bytes.ts'
import { inAList } from '../../../platform/text/in-a-list.ts'
import type { ServerRow } from '../../servers/server.ts'
import { domainUrl } from '../hosts/domain-url.ts'
import { isBind } from '../instance.ts'
import type { NewApplication, Plan } from '../plan.ts'
import { buildSteps } from './review-build.ts'
import { composeSteps } from './review-compose.ts'

type Place = Pick<ServerRow, 'name' | 'http_port' | 'https_port' | 'memory_bytes' | 'cpus'>

/** What making and deploying it does, in order, as sentences. */
export const stepsOf = (
  server: Place,
  given: NewApplication,
  plan: Pick<Plan, 'slug' | 'generated' | 'compose'>,
): string[] => [
  ...(plan.compose ? composeSteps(server.name, given, plan.compose) : imageSteps(server, given, plan)),
  ...routeSteps(server, given, plan),
  ...given.ports.map(
    ({ source, target }) =>
      `Publish port ${source} of ${server.name}: connections to it reach port ${target} in the ${containersOf(given)}.`,
  ),
  ...publishSteps(server, plan.compose),
  `Keep this release on ${server.name}, so that you can come back to it later.`,
]

/** Of a compose file; the proxy’s own ports are left out, as a warning says. */
const publishSteps = (server: Place, compose: Plan['compose']): string[] =>
  (compose?.services ?? []).flatMap(({ name, published }) =>
    published
      .filter(
        ({ source, protocol }) =>
          protocol !== 'tcp' || (source !== server.http_port && source !== server.https_port),
      )
      .map(
        ({ host, source, target, protocol }) =>
          `Publish port ${source}${protocol === 'tcp' ? '' : `/${protocol}`} of ${server.name}${host === '' ? '' : ` at ${host} alone`}: connections to it reach port ${target} in ${name}.`,
      ),
  )

const imageSteps = (server: Place, given: NewApplication, plan: Pick<Plan, 'slug'>): string[] => [
  ...('image' in given.source ? [pullStep(server, given.source.image)] : []),
  ...('repository' in given.source ? buildSteps(server, given.source) : []),
  ...given.volumes.map((mount) => mountStep(server, mount)),
  startStep(given, plan),
  waitStep(given),
]

/** A tag may have moved, so its registry is asked. */
const pullStep = ({ name }: Place, image: string) =>
  image.includes('@')
    ? `Pull the image ${image} on ${name}, unless it is there already.`
    : `Pull the image ${image} on ${name}. If its registry does not give it, the one that is on the server is used, if there is one.`

const containersOf = ({ replicas }: Pick<NewApplication, 'replicas'>) =>
  replicas > 1 ? 'containers' : 'container'

const mountStep = ({ name }: Place, { source, target }: { source: string; target: string }) =>
  isBind(source)
    ? `Mount the folder ${source} of ${name} at ${target}.`
    : `Make the volume ${source} on ${name}, unless it is there already, and mount it at ${target}. It outlives every deployment, and the application as well unless you choose to delete both.`

function startStep(given: NewApplication, { slug }: Pick<Plan, 'slug'>): string {
  const { replicas, env, labels, memory_limit: memory, cpu_limit: cpu, command, restart } = given
  const parts = [
    ...(memory === null ? [] : [`at most ${inBytes(memory)} of memory`]),
    ...(cpu === null ? [] : [`at most ${counted(cpu, 'core')}`]),
    ...(env.length === 0 ? [] : [counted(env.length, 'environment variable')]),
    ...(labels.length === 0 ? [] : [counted(labels.length, 'label')]),
  ]
  const many = `Start ${counted(replicas, 'container')} (${slug}-1-…)`
  const each = replicas > 1 ? 'each with' : 'with'
  return [
    `${many}${parts.length > 0 ? `, ${each} ${inAList(parts)}` : ''}.`,
    ...(command === null
      ? []
      : [`The command is ${shortened(writeCommandLine(command))} instead of the image’s own.`]),
    restartWords(replicas > 1 ? 'each of them' : 'it')[restart],
  ].join(' ')
}

const shortened = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

const restartWords = (what: string) => ({
  always: `Docker starts ${what} again whenever it ends.`,
  'on-failure': `Docker starts ${what} again when it ends with an error.`,
  no: 'What ends is not started again.',
})

function waitStep(given: NewApplication): string {
  const { type, path, within_seconds: seconds } = given.health
  const { port, replicas } = given
  const at = port === null ? 'the port that the image exposes' : `port ${port}`
  const well = {
    auto: `the image’s own health check says so; where it has none, until ${port === null ? 'the port that it exposes answers or, without one, until it has kept running for 2 seconds' : `${at} takes connections`}`,
    http: `${path} on ${at} answers with a status from 200 to 399`,
    tcp: `${at} takes connections`,
    docker: 'the image’s own health check says so',
    none: 'it has kept running for 2 seconds',
  }[type]
  const who = replicas > 1 ? 'each of them' : 'it'
  const others = type === 'none' ? [] : otherPorts(given).map((one) => `until port ${one} takes connections`)
  return `Wait at most ${counted(seconds, 'second')} until ${who} is well: ${inAList([`until ${well}`, ...others])}. If that does not happen, ${replicas > 1 ? 'they are' : 'it is'} removed again and the log says why.`
}

/** Where else it has to listen, as something leads there. */
const otherPorts = ({ port, ports, domains }: NewApplication): number[] => {
  const led = [...ports.map(({ target }) => target), ...domains.flatMap((domain) => domain.port ?? [])]
  return [...new Set(led)].filter((one) => one !== port).toSorted((a, b) => a - b)
}

function routeSteps(server: Place, given: NewApplication, { generated }: Pick<Plan, 'generated'>): string[] {
  const all = [...given.domains, ...(generated ? [{ ...generated, path: '/' }] : [])]
  return all.map((domain) => {
    const to = domain.port ?? given.port
    const url = domainUrl(domain, domain.https, server)
    const port =
      to === null
        ? 'the port that the image exposes'
        : `port ${to} in ${domain.service || `the ${containersOf(given)}`}`
    const route = `Lead ${url} to ${port}.`
    return domain.https
      ? `${route} A certificate is asked for; until it is there, the address works without HTTPS.`
      : route
  })
}

export const counted = (many: number, what: string) => `${many} ${what}${many === 1 ? '' : 's'}`
