import { RevealableAddress } from '../../lib/address.tsx'
import { applicationPath, serverPath } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { Copy } from '../../ui/copy.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { ApplicationBadge } from './application-badge.tsx'
import { containersWords, imageOf, nextImage } from './application-words.ts'
import type { PublishedPort } from './ports.ts'
import type { ApplicationDetails } from './queries.ts'
import { sourceWords } from './source-label.ts'

interface ApplicationFactsProps {
  application: ApplicationDetails
  /** Where it is reached, as URLs. */
  addresses: readonly string[]
  ports: readonly PublishedPort[]
  /** Of the server; null where it has none. */
  serverAddress: string | null
}

/** What an application is, where it runs, and where one finds it. */
export function ApplicationFacts({ application, addresses, ports, serverAddress }: ApplicationFactsProps) {
  const { id, source, server, release, reason } = application
  return (
    <Card title="Application">
      <DefinitionList
        items={[
          {
            term: 'State',
            value: (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <ApplicationBadge application={application} />
                {reason !== null && <span className="text-sm text-muted">{reason}</span>}
              </span>
            ),
          },
          {
            term: addresses.length > 1 ? 'Addresses' : 'Address',
            value: addresses.length === 0 ? <NoAddress id={id} /> : <Addresses urls={addresses} />,
          },
          ...(ports.length === 0
            ? []
            : [{ term: 'Published ports', value: <Ports ports={ports} address={serverAddress} /> }]),
          { term: sourceWords(source), value: <Source application={application} /> },
          { term: 'Server', value: <TextLink to={serverPath(server.id)}>{server.name}</TextLink> },
          {
            term: 'Release',
            value: release === null ? <span className="text-muted">None yet</span> : release.number,
          },
          { term: 'Containers', value: containersWords(application) },
          { term: 'Created', value: <Time at={application.created_at} /> },
        ]}
      />
    </Card>
  )
}

/** What runs; and what would after the next deployment, where that is another image. */
function Source({ application }: { application: ApplicationDetails }) {
  const image = imageOf(application)
  const { services } = application.source
  const next = nextImage(application)
  if (services !== null) return <Services names={services} id={application.id} />
  if (image === null) return <span className="text-muted">None</span>
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span className="inline-flex items-center gap-1 *:last:-my-1">
        <span className="font-mono text-sm" dir="ltr">
          {image}
        </span>
        <Copy text={image} label="Copy the image" />
      </span>
      {next !== undefined && (
        <span className="text-sm text-muted">
          next:{' '}
          <span className="font-mono" dir="ltr">
            {next}
          </span>
        </span>
      )}
    </span>
  )
}

/** As they stand in its file; how they are is told beside their containers. */
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
        <OutsideLink href={url} className="font-medium wrap-anywhere">
          {url}
        </OutsideLink>
        <Copy text={url} label={`Copy ${url}`} />
      </li>
    ))}
  </ul>
)

const Ports = ({ ports, address }: { ports: readonly PublishedPort[]; address: string | null }) => (
  <ul className="flex flex-col gap-1">
    {ports.map(({ id, source, target, lost }) => (
      <li key={id} className="flex flex-wrap items-center gap-x-1 *:last:-my-1">
        {address !== null && <RevealableAddress address={address} />}
        <span className="font-mono text-sm tabular-nums">
          {address !== null && ':'}
          {source}
        </span>
        <span className="text-sm text-muted">
          to port {target} in the containers{lost !== null && ', but not now'}
        </span>
        <Copy
          text={address === null ? String(source) : withPort(address, source)}
          label={`Copy port ${source}`}
        />
      </li>
    ))}
  </ul>
)

/** One of IPv6 stands in brackets then. */
const withPort = (address: string, port: number) =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`

const NoAddress = ({ id }: { id: string }) => (
  <span className="text-muted">
    None. <TextLink to={applicationPath(id, 'networking')}>Give it one</TextLink>
  </span>
)
