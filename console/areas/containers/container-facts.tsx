import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Time } from '../../ui/time.tsx'
import { ContainerPorts } from './container-ports.tsx'
import { formatCommand } from './format-command.ts'
import { Masked } from '../../ui/code.tsx'
import type { ContainerDetails } from './queries.ts'
import { RevealableAddress } from '../../lib/address.tsx'

export function ContainerFacts({ container }: { container: ContainerDetails }) {
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Card title="Container">
        <DefinitionList items={identityOf(container)} />
      </Card>
      <Card title="Process">
        <DefinitionList items={processOf(container)} />
      </Card>
      <Card title="Ports and networks">
        <DefinitionList
          items={[
            { term: 'Ports', value: <ContainerPorts ports={container.ports} /> },
            { term: 'Networks', value: <ContainerNetworks networks={container.networks} /> },
            { term: 'Hostname', value: mono(container.hostname) },
          ]}
        />
      </Card>
      <Card title="Mounts">
        <ContainerMounts mounts={container.mounts} />
      </Card>
    </div>
  )
}

interface Fact {
  term: string
  value: ReactNode
}

function identityOf(container: ContainerDetails): Fact[] {
  const { id, image, image_id: imageId, project, service } = container
  return [
    { term: 'Image', value: mono(image) },
    { term: 'Image ID', value: <ShortId id={imageId.replace(/^sha256:/, '')} label="Copy image ID" /> },
    { term: 'Container ID', value: <ShortId id={id} label="Copy container ID" /> },
    ...(project === null
      ? []
      : [{ term: 'Compose', value: service === null ? project : `${project} / ${service}` }]),
    { term: 'Created', value: <Time at={container.created_at} /> },
    { term: 'Started', value: when(container.started_at) },
    ...(container.finished_at === null || container.state === 'running'
      ? []
      : [{ term: 'Exited', value: when(container.finished_at) }]),
    ...(container.exit_code === null ? [] : [{ term: 'Exit code', value: container.exit_code }]),
    { term: 'Restarts', value: container.restarts },
  ]
}

const processOf = (container: ContainerDetails): Fact[] => [
  {
    term: 'Entrypoint',
    value: container.entrypoint ? mono(formatCommand(container.entrypoint)) : <Masked />,
  },
  { term: 'Command', value: container.command ? mono(formatCommand(container.command)) : <Masked /> },
  { term: 'Working directory', value: mono(container.working_dir || '/') },
  { term: 'User', value: mono(container.user || 'root') },
  { term: 'Restart policy', value: formatRestartPolicy(container.restart_policy) },
  {
    term: 'Privileged',
    value: container.privileged ? 'Yes (root access to the server)' : 'No',
  },
]

function formatRestartPolicy(policy: string): string {
  if (policy === 'always') return 'Always'
  if (policy === 'unless-stopped') return 'Unless stopped'
  if (policy.startsWith('on-failure')) return 'On failure'
  return 'Never'
}

const when = (at: string | null) => (at === null ? 'Never' : <Time at={at} />)

const mono = (text: string) =>
  text === '' ? (
    <span className="text-muted">None</span>
  ) : (
    <span className="font-mono text-sm whitespace-pre-wrap" dir="ltr">
      {text}
    </span>
  )

const ShortId = ({ id, label }: { id: string; label: string }) => (
  <span className="inline-flex items-center gap-1 *:last:-my-1">
    <span className="font-mono text-sm" title={id}>
      {id.slice(0, 12)}
    </span>
    <CopyButton text={id} label={label} />
  </span>
)

function ContainerMounts({ mounts }: Pick<ContainerDetails, 'mounts'>) {
  if (mounts.length === 0) return <p className="text-muted">No mounts</p>
  return (
    <ul className="flex flex-col gap-2.5">
      {mounts.map(({ type, name, source, target, read_only: readOnly }) => (
        <li key={target} className="flex flex-col wrap-anywhere">
          <span className="font-mono text-sm" dir="ltr">
            {target}
          </span>
          <span className="text-sm text-muted">
            {kinds[type] ?? type} <span className="font-mono text-xs">{name ?? source}</span>
            {readOnly && ', read-only'}
          </span>
        </li>
      ))}
    </ul>
  )
}

const kinds: Record<string, string> = {
  bind: 'Bind mount',
  volume: 'Volume',
  tmpfs: 'tmpfs',
}

function ContainerNetworks({ networks }: Pick<ContainerDetails, 'networks'>) {
  if (networks.length === 0) return <span className="text-muted">None</span>
  return (
    <ul className="flex flex-col gap-1">
      {networks.map(({ name, address }) => (
        <li key={name} className="flex flex-wrap items-center gap-x-2">
          <span>{name}</span>
          {address && <RevealableAddress address={address} />}
        </li>
      ))}
    </ul>
  )
}
