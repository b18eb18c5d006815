import { formatBytes } from '../../../contract/shared/bytes.ts'
import { formatInUnit } from '../../ui/chart/chart-units.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { ExternalTextLink } from '../../ui/external-text-link.tsx'
import type { Service } from './queries.ts'
import { formatPublishedPort, sumUsage } from './service-labels.ts'

export function ServiceFacts({ service }: { service: Service }) {
  const { image, digest, state, running, wanted, ports, addresses, containers } = service
  const cpu = sumUsage(containers, 'cpu')
  const memory = sumUsage(containers, 'memory_used')
  // A count makes no sense for stopped, completed or unknown services.
  const counted = !['unknown', 'stopped', 'completed'].includes(state)
  return (
    <div className="px-4 py-3">
      <DefinitionList
        dense
        items={[
          {
            term: 'Image',
            value: (
              <span className="font-mono text-sm break-all" dir="ltr" title={digest ?? undefined}>
                {image}
              </span>
            ),
          },
          ...(counted ? [{ term: 'Containers', value: `${running} of ${wanted} running` }] : []),
          ...(addresses.length === 0 ? [] : [{ term: 'Domains', value: <Addresses urls={addresses} /> }]),
          ...(ports.length === 0
            ? []
            : [
                {
                  term: 'Published ports',
                  value: (
                    <span className="font-mono text-sm">{ports.map(formatPublishedPort).join(', ')}</span>
                  ),
                },
              ]),
          ...(cpu === null && memory === null
            ? []
            : [
                {
                  term: 'Usage',
                  value: [
                    ...(cpu === null ? [] : [`${formatInUnit(cpu, 'share')} of a core`]),
                    ...(memory === null ? [] : [`${formatBytes(memory)} of memory`]),
                  ].join(', '),
                },
              ]),
        ]}
      />
    </div>
  )
}

const Addresses = ({ urls }: { urls: readonly string[] }) => (
  <ul className="flex flex-col gap-1">
    {urls.map((url) => (
      <li key={url}>
        <ExternalTextLink href={url} className="wrap-anywhere">
          {url}
        </ExternalTextLink>
      </li>
    ))}
  </ul>
)
