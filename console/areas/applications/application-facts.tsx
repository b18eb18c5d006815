import { AddressText, RevealableAddress } from '../../lib/address.tsx'
import { Commit } from '../../lib/commit.tsx'
import { applicationPath, projectPath, serverPath } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { ExternalTextLink, TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { ApplicationBadge } from './application-badge.tsx'
import { containersLabel, displayedImage, nextImage } from './application-status.ts'
import type { ApplicationDetails, PublishedPort } from './queries.ts'
import { triggerLabel, sourceSummary } from './source-label.ts'

interface ApplicationFactsProps {
  application: ApplicationDetails
  addresses: readonly string[]
  ports: readonly PublishedPort[]
  /** Null when the server has no public address. */
  serverAddress: string | null
}

export function ApplicationFacts({ application, addresses, ports, serverAddress }: ApplicationFactsProps) {
  const { id, source, server, project, release, reason } = application
  return (
    <Card title="Application">
      <DefinitionList
        items={[
          {
            term: 'Status',
            value: (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <ApplicationBadge application={application} />
                {reason !== null && (
                  <span className="text-sm text-muted">
                    <AddressText>{reason}</AddressText>
                  </span>
                )}
              </span>
            ),
          },
          {
            term: addresses.length > 1 ? 'Domains' : 'Domain',
            value: addresses.length === 0 ? <NoAddress id={id} /> : <Addresses urls={addresses} />,
          },
          ...(ports.length === 0
            ? []
            : [{ term: 'Published ports', value: <Ports ports={ports} address={serverAddress} /> }]),
          {
            term: source.repository ? 'GitHub' : sourceSummary(source),
            value: <Source application={application} />,
          },
          { term: 'Server', value: <TextLink to={serverPath(server.id)}>{server.name}</TextLink> },
          ...(project === null
            ? []
            : [{ term: 'Project', value: <TextLink to={projectPath(project.id)}>{project.name}</TextLink> }]),
          {
            term: 'Release',
            value: release === null ? <span className="text-muted">None yet</span> : release.number,
          },
          { term: 'Containers', value: containersLabel(application) },
          { term: 'Created', value: <Time at={application.created_at} /> },
        ]}
      />
    </Card>
  )
}

function Source({ application }: { application: ApplicationDetails }) {
  const image = displayedImage(application)
  const { services } = application.source
  const next = nextImage(application)
  if (application.source.repository) return <Repository application={application} />
  if (services !== null) return <Services names={services} id={application.id} />
  if (image === null) return <span className="text-muted">None</span>
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span className="inline-flex items-center gap-1 *:last:-my-1">
        <span className="font-mono text-sm" dir="ltr">
          {image}
        </span>
        <CopyButton text={image} label="Copy image" />
      </span>
      {next !== undefined && (
        <span className="text-sm text-muted">
          Next:{' '}
          <span className="font-mono" dir="ltr">
            {next}
          </span>
        </span>
      )}
    </span>
  )
}

function Repository({ application }: { application: ApplicationDetails }) {
  const { source, release, repository: settings } = application
  const { repository } = source
  if (!repository) return null
  return (
    <span className="flex flex-col gap-1">
      <span className="flex flex-wrap items-baseline gap-x-2">
        <ExternalTextLink href={repository.url}>{repository.name}</ExternalTextLink>
        <span className="text-sm text-muted">
          branch <bdi className="font-mono">{repository.branch}</bdi>
          {settings && `, ${triggerLabel(settings)}`}
        </span>
      </span>
      {release?.commit && (
        <Commit commit={release.commit} branch={release.commit.branch !== repository.branch} />
      )}
    </span>
  )
}

const Services = ({ names, id }: { names: readonly string[]; id: string }) => (
  <span className="flex flex-wrap items-center gap-x-3">
    <span>{names.join(', ')}</span>
    <TextLink to={applicationPath(id, 'services')}>Services</TextLink>
  </span>
)

const Addresses = ({ urls }: { urls: readonly string[] }) => (
  <ul className="flex flex-col gap-1">
    {urls.map((url) => (
      <li key={url} className="flex items-center gap-1 *:last:-my-1">
        <ExternalTextLink href={url} className="font-medium wrap-anywhere">
          <AddressText>{url}</AddressText>
        </ExternalTextLink>
        <CopyButton text={url} label="Copy address" />
      </li>
    ))}
  </ul>
)

const Ports = ({ ports, address }: { ports: readonly PublishedPort[]; address: string | null }) => (
  <ul className="flex flex-col gap-1">
    {ports.map(({ id, ...port }) => (
      <Port key={id} port={port} address={address} />
    ))}
  </ul>
)

function Port({ port, address }: { port: Omit<PublishedPort, 'id'>; address: string | null }) {
  const { service, host, source, target } = port
  const at = host === '' ? address : host
  return (
    <li className="flex flex-wrap items-center gap-x-1 *:last:-my-1">
      {host === '' && address !== null && <RevealableAddress address={address} />}
      <span className="font-mono text-sm tabular-nums">
        {host}
        {at !== null && ':'}
        {source}
      </span>
      <span className="text-sm text-muted">
        {service === '' ? `to container port ${target}` : `to port ${target} of ${service}`}
      </span>
      <CopyButton text={at === null ? String(source) : withPort(at, source)} label={`Copy port ${source}`} />
    </li>
  )
}

/** IPv6 addresses need brackets in front of a port. */
const withPort = (address: string, port: number) =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`

const NoAddress = ({ id }: { id: string }) => (
  <span className="text-muted">
    None. <TextLink to={applicationPath(id, 'networking')}>Add one</TextLink>
  </span>
)
