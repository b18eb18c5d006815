import { Box, Globe, Lock, LockOpen, Plug, Waypoints } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { AddressText, useMaskedText, displayedAddress } from '../../../lib/address.tsx'
import { applicationPath, serverPath } from '../../../paths.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { containersLabel } from '../application-status.ts'
import type {
  ApplicationContainer,
  ApplicationDetails,
  ApplicationVolume,
  PublishedPort,
} from '../queries.ts'
import { ContainerGroup } from './container-group.tsx'
import { groupContainers } from './path-groups.ts'
import { PathNode } from './path-node.tsx'

interface PathDomain {
  id: string
  url: string
  service: string
  /** Reason why visitors cannot reach the application; null if they can. */
  problem: string | null
}

interface RequestPathProps {
  application: ApplicationDetails
  domains: readonly PathDomain[]
  ports: readonly PublishedPort[]
  containers: readonly ApplicationContainer[]
  volumes: readonly ApplicationVolume[]
}

/** Shows the path of a request as a diagram: domains, proxy, containers, storage. */
export function RequestPath({ application, domains, ports, containers, volumes }: RequestPathProps) {
  const { id, server } = application
  const routed = [...domains, ...ports].map(({ service }) => service)
  const groups = groupContainers(containers, volumes, routed)
  const reached = domains.length + ports.length > 0
  const runs = application.release !== null && application.state !== 'stopped'
  return (
    <section
      aria-label="Request path"
      className="flex gap-x-3 gap-y-2 rounded-lg border border-line bg-subtle p-4 max-[1179px]:grid max-sm:p-3 sm:max-[1179px]:grid-cols-[1fr_auto_1fr]"
    >
      <Stage title={domains.length === 1 ? 'Domain' : 'Domains'} width="min-[1180px]:flex-[5]">
        {domains.slice(0, mostDomains).map((domain) => (
          <DomainNode key={domain.id} domain={domain} />
        ))}
        {domains.length > mostDomains && (
          <More to={applicationPath(id, 'networking')}>{`${domains.length - mostDomains} more`}</More>
        )}
        {ports.map((port) => (
          <PathNode key={port.id} Icon={Plug} title={`Port ${port.source}`} note={`to ${portTarget(port)}`} />
        ))}
        {!reached && (
          <PathNode
            Icon={Globe}
            title="No domain"
            note={<More to={applicationPath(id, 'networking')}>Add domain</More>}
          />
        )}
      </Stage>
      <Flow on={reached && runs} />
      <Stage title="Proxy" width="min-[1180px]:flex-[3]">
        <PathNode
          Icon={Waypoints}
          title={server.name}
          to={serverPath(server.id)}
          {...proxyState(application, reached)}
        />
      </Stage>
      <Flow on={reached && runs && application.containers.routed > 0} wraps />
      <Stage
        title={runs ? `Containers · ${containersLabel(application)}` : 'Containers'}
        width="min-[1180px]:flex-[10] max-[1179px]:col-span-full"
      >
        {groups.map((group) => (
          <ContainerGroup key={group.service} group={group} application={application} />
        ))}
        {groups.length === 0 && <PathNode Icon={Box} {...noContainers(application)} />}
      </Stage>
    </section>
  )
}

const mostDomains = 4

const portTarget = ({ service, target }: PublishedPort) =>
  service === '' ? String(target) : `${service}:${target}`

interface NodeState {
  tone: Tone
  note: string
}

function noContainers({ state, release, server }: ApplicationDetails): NodeState & { title: string } {
  if (state === 'unknown') return { title: 'Unknown', tone: 'yellow', note: `${server.name} is unreachable` }
  const note = release === null ? 'Deploy to start them' : 'None on the server'
  return { title: 'No containers', tone: 'neutral', note }
}

/** Without a domain or published port, the proxy has nothing to route, whatever its state. */
function proxyState(
  { maintenance, proxy_error: error, state, release }: ApplicationDetails,
  reached: boolean,
): NodeState {
  if (state === 'unknown') return { tone: 'yellow', note: 'Unreachable' }
  if (error !== null) return { tone: 'yellow', note: 'Out of date' }
  if (maintenance) return { tone: 'yellow', note: 'Maintenance' }
  if (release === null) return { tone: 'neutral', note: 'No routes yet' }
  if (!reached) return { tone: 'neutral', note: 'No routes' }
  return { tone: 'green', note: 'Routing' }
}

interface StageProps {
  title: string
  width: string
  children: ReactNode
}

const Stage = ({ title, width, children }: StageProps) => (
  <div className={classNames('flex min-w-0 flex-col gap-2', width)}>
    <h2 className="text-xs font-medium text-muted">{title}</h2>
    <div className="grid flex-1 grid-cols-[repeat(auto-fit,minmax(min(15rem,100%),1fr))] gap-2 min-[1180px]:flex min-[1180px]:flex-col min-[1180px]:justify-center">
      {children}
    </div>
  </div>
)

/**
 * The arrow is animated while requests can pass, unless the user prefers reduced motion. On narrow screens, the arrow that
 * `wraps` leads down to the containers.
 */
const Flow = ({ on, wraps = false }: { on: boolean; wraps?: boolean }) => (
  <span
    aria-hidden
    className={classNames(
      'flex shrink-0 items-center justify-center min-[1180px]:pt-6',
      wraps ? 'sm:max-[1179px]:col-start-3' : 'sm:pt-6',
      on ? 'text-accent-ink' : 'text-faint',
    )}
  >
    <svg
      viewBox="0 0 36 8"
      className={classNames(
        'h-2 w-9',
        wraps ? 'max-[1179px]:my-3 max-[1179px]:rotate-90' : 'max-sm:my-3 max-sm:rotate-90',
      )}
    >
      <path
        d="M0 4H28"
        strokeWidth="1.5"
        strokeDasharray="4 3"
        className={classNames('stroke-current', on && 'animate-flow')}
      />
      <path d="M28 0.5L35 4L28 7.5Z" className="fill-current" />
    </svg>
  </span>
)

const More = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className="rounded-sm text-sm text-accent-ink hover:underline">
    {children}
  </Link>
)

function DomainNode({ domain: { url, problem } }: { domain: PathDomain }) {
  const secure = url.startsWith('https:')
  const host = displayedAddress(url)
  const mask = useMaskedText()
  return (
    <PathNode
      Icon={secure ? Lock : LockOpen}
      title={
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          title={mask(host)}
          className="rounded-sm text-accent-ink hover:underline"
        >
          <AddressText>{host}</AddressText>
        </a>
      }
      tone={problem === null ? 'green' : 'yellow'}
      note={
        <span title={problem === null ? undefined : mask(problem)}>
          {problem === null ? (secure ? 'HTTPS' : 'HTTP') : mask(problem)}
        </span>
      }
    />
  )
}
