import { isComposeSupported, minComposeVersion } from '../../../contract/shared/compose-limits.ts'
import { RevealableAddress } from '../../lib/address.tsx'
import { projectPath } from '../../paths.ts'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { ExternalTextLink, TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { isCloudServer, type CloudServer } from './creation/creation-steps.ts'
import { Fingerprint } from './host-key-facts.tsx'
import { Labels } from './labels.tsx'
import type { Server } from './queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { cloudStatusLabel, formatMonthlyCost } from './cloud-status.ts'
import type { ReactNode } from 'react'

export function ServerFacts({ server }: { server: Server }) {
  const connection = (
    <Card title="Connection">
      <DefinitionList items={connectionOf(server).map(withPlaceholder)} />
    </Card>
  )
  const isKnown = server.os !== null || server.docker_version !== null
  const ofCloud = isCloudServer(server)
  if (!isKnown && !ofCloud) return connection
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      {isKnown && (
        <Card title="Machine">
          <DefinitionList items={machineOf(server).map(withPlaceholder)} />
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
  { term: 'Memory', value: server.memory_bytes && formatBytes(server.memory_bytes) },
  { term: 'Disk', value: server.disk_bytes && formatBytes(server.disk_bytes) },
  { term: 'Docker', value: server.docker_version && dockerOf(server) },
  { term: 'Docker Compose', value: server.docker_version && composeOf(server.compose_version) },
  ...(server.labels.length > 0 ? [{ term: 'Labels', value: <Labels labels={server.labels} /> }] : []),
]

const dockerOf = ({ docker_version: version, docker_api_version: api }: Server) =>
  api === null ? version : `${version} (API ${api})`

const composeOf = (version: string | null) =>
  isComposeSupported(version)
    ? version
    : `${version ?? 'Not installed'}. Compose applications need ${minComposeVersion} or newer.`

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
    return [{ term: 'Connection', value: 'The machine that Slipway runs on' }, ...always]
  return [
    { term: 'Address', value: server.address && <RevealableAddress address={server.address} /> },
    { term: 'SSH port', value: server.port },
    { term: 'User', value: <span className="font-mono text-sm">{server.user}</span> },
    { term: 'Host key', value: key ? <Fingerprint of={key} /> : 'Not confirmed' },
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

function CloudFacts({ server, wide }: { server: CloudServer; wide: boolean }) {
  const { provider_name: provider, url, status } = server.cloud
  const facts = factsOf(server).map(withPlaceholder)
  const half = wide ? Math.ceil(facts.length / 2) : facts.length
  return (
    <Card
      title={`Server at ${provider}`}
      action={
        url !== null &&
        status !== 'deleted' && (
          <ExternalTextLink href={url} className="text-sm">
            Open at {provider}
          </ExternalTextLink>
        )
      }
    >
      <div className={classNames('grid gap-x-6 gap-y-2.5 max-sm:gap-y-0', wide && 'lg:grid-cols-2')}>
        <DefinitionList items={facts.slice(0, half)} />
        {wide && <DefinitionList items={facts.slice(half)} />}
      </div>
    </Card>
  )
}

function factsOf({ region, type, cloud }: CloudServer): Fact[] {
  const isSeen = cloud.drift.every(({ kind }) => kind !== 'unseen')
  const [tone, word] = cloudStatusLabel(isSeen ? cloud.status : 'unknown')
  return [
    { term: 'Status', value: cloud.id === null ? 'Not created' : <Badge tone={tone}>{word}</Badge> },
    { term: 'Type', value: type },
    { term: 'Region', value: region },
    { term: 'Image', value: cloud.image },
    { term: 'Price', value: cloud.status === 'deleted' ? 'No longer billed' : formatMonthlyCost(cloud) },
    { term: 'Provider ID', value: cloud.id && <span className="font-mono text-sm">{cloud.id}</span> },
    { term: 'Last checked', value: cloud.seen_at && <Time at={cloud.seen_at} /> },
    {
      term: 'Origin',
      value: cloud.origin === 'created' ? 'Created by Slipway' : 'Imported',
    },
  ]
}

interface Fact {
  term: string
  value: ReactNode
}

const withPlaceholder = ({ term, value }: Fact): Fact => ({
  term,
  value: value ?? <span className="text-muted">Unknown</span>,
})
