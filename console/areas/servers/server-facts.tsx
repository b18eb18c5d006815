import { isComposeFit, leastCompose } from '../../../contract/compose-version.ts'
import { RevealableAddress } from '../../lib/address.tsx'
import { projectPath } from '../../paths.ts'
import { bytesInWords } from '../../ui/bytes.ts'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { CloudFacts } from './cloud-facts.tsx'
import { isOfCloud } from './creation-words.ts'
import { type Fact, known } from './fact.tsx'
import { Fingerprint } from './host-key-facts.tsx'
import { Labels } from './labels.tsx'
import type { Server } from './queries.ts'

/** What the machine is, and how it is reached. */
export function ServerFacts({ server }: { server: Server }) {
  const connection = (
    <Card title="Connection">
      <DefinitionList items={connectionOf(server).map(known)} />
    </Card>
  )
  // Of one where nobody was yet there is nothing to tell.
  const isKnown = server.os !== null || server.docker_version !== null
  const ofCloud = isOfCloud(server)
  if (!isKnown && !ofCloud) return connection
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      {isKnown && (
        <Card title="Machine">
          <DefinitionList items={machineOf(server).map(known)} />
        </Card>
      )}
      {connection}
      {ofCloud && (
        <div className={isKnown ? 'lg:col-span-2' : 'contents'}>
          <CloudFacts server={server} wide={isKnown} />
        </div>
      )}
    </div>
  )
}

const machineOf = (server: Server): Fact[] => [
  { term: 'Operating system', value: server.os },
  { term: 'Architecture', value: server.architecture },
  { term: 'CPUs', value: server.cpus },
  { term: 'Memory', value: server.memory_bytes && bytesInWords(server.memory_bytes) },
  { term: 'Disk', value: server.disk_bytes && bytesInWords(server.disk_bytes) },
  { term: 'Docker', value: server.docker_version },
  { term: 'Docker Compose', value: server.docker_version && composeOf(server.compose_version) },
  ...(server.labels.length > 0 ? [{ term: 'Labels', value: <Labels labels={server.labels} /> }] : []),
]

/** What lacks for compose applications is said where somebody looks for it. */
const composeOf = (version: string | null) =>
  isComposeFit(version)
    ? version
    : `${version ?? 'Not installed'}. Compose applications need ${leastCompose} or newer.`

function connectionOf(server: Server): Fact[] {
  const { host_key: key, last_seen_at: seen } = server
  const always: Fact[] = [
    ...(server.projects.length > 0
      ? [{ term: 'Projects', value: <Projects projects={server.projects} /> }]
      : []),
    { term: 'Last seen', value: seen && <Time at={seen} /> },
    { term: 'Added', value: <Time at={server.created_at} /> },
  ]
  if (server.kind === 'local')
    return [{ term: 'Reached', value: 'It is the machine that Slipway runs on.' }, ...always]
  return [
    { term: 'Address', value: server.address && <RevealableAddress address={server.address} /> },
    { term: 'SSH port', value: server.port },
    { term: 'User', value: <span className="font-mono text-sm">{server.user}</span> },
    { term: 'Host key', value: key ? <Fingerprint of={key} /> : 'Not confirmed yet' },
    ...always,
  ]
}

const Projects = ({ projects }: Pick<Server, 'projects'>) => (
  <span className="flex flex-wrap gap-x-3">
    {projects.map(({ id, name }) => (
      <TextLink key={id} to={projectPath(id)}>
        {name}
      </TextLink>
    ))}
  </span>
)
