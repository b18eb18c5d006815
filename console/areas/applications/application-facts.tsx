import { applicationPath, serverPath } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { Copy } from '../../ui/copy.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { ApplicationBadge } from './application-badge.tsx'
import type { ApplicationDetails } from './queries.ts'
import { sourceLabel } from './source-label.ts'

interface ApplicationFactsProps {
  application: ApplicationDetails
  /** Where it is reached, as URLs. */
  addresses: readonly string[]
}

/** What an application is, where it runs, and where one finds it. */
export function ApplicationFacts({ application, addresses }: ApplicationFactsProps) {
  const { id, source, server, release, containers, reason } = application
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
          {
            term: sourceLabel(source.type),
            value:
              source.image === null ? (
                <span className="text-muted">None</span>
              ) : (
                <span className="inline-flex items-center gap-1 *:last:-my-1">
                  <span className="font-mono text-sm" dir="ltr">
                    {source.image}
                  </span>
                  <Copy text={source.image} label="Copy the image" />
                </span>
              ),
          },
          { term: 'Server', value: <TextLink to={serverPath(server.id)}>{server.name}</TextLink> },
          {
            term: 'Release',
            value: release === null ? <span className="text-muted">None yet</span> : release.number,
          },
          { term: 'Containers', value: `${containers.running} of ${containers.wanted} take traffic` },
          { term: 'Created', value: <Time at={application.created_at} /> },
        ]}
      />
    </Card>
  )
}

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

const NoAddress = ({ id }: { id: string }) => (
  <span className="text-muted">
    None. <TextLink to={applicationPath(id, 'networking')}>Give it one</TextLink>
  </span>
)
