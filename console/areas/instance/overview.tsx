import { useQuery } from '@tanstack/react-query'
import { Boxes, Building2, Server, Users } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { StatCard } from '../../ui/stat-card.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { type Instance, instanceQuery, instanceSettingsQuery } from './queries.ts'
import { AddressText } from '../../lib/address.tsx'

export function InstanceOverview({ links }: { links: { people: string; workspaces: string } }) {
  const { data: instance, error, refetch } = useQuery(instanceQuery)
  const lost = instance ? null : error
  const failed = lost !== null
  const count = (name: keyof Instance['counts']) => ({ value: instance?.counts[name], failed })
  return (
    <>
      <section aria-label="Counts" className="grid grid-cols-4 gap-4 max-lg:grid-cols-2 max-sm:gap-2">
        <StatCard label="Users" icon={Users} note="Total" to={links.people} {...count('users')} />
        <StatCard
          label="Workspaces"
          icon={Building2}
          note="Total"
          to={links.workspaces}
          {...count('workspaces')}
        />
        <StatCard label="Servers" icon={Server} note="In all workspaces" {...count('servers')} />
        <StatCard label="Applications" icon={Boxes} note="In all workspaces" {...count('applications')} />
      </section>
      {lost ? (
        <Card>
          <Problem title="Could not load instance status" error={lost} onRetry={refetch} />
        </Card>
      ) : (
        <Card title="Health">
          {instance ? <Health instance={instance} /> : <Skeleton className="h-24 w-full" />}
        </Card>
      )}
    </>
  )
}

function Health({
  instance: { health, version, public_url: url, started_at: started },
}: {
  instance: Instance
}) {
  const { data: settings } = useQuery(instanceSettingsQuery)
  const sendsMail = settings?.smtp_url.value !== null
  return (
    <DefinitionList
      items={[
        { term: 'Database', value: <State {...health.database} /> },
        { term: 'Worker', value: <State {...health.worker} /> },
        { term: 'Outgoing email', value: sendsMail ? <State {...health.mail} /> : <NotSetUp /> },
        { term: 'Version', value: version },
        { term: 'Address', value: <span className="font-mono text-sm">{url}</span> },
        { term: 'Started', value: <Time at={started} /> },
      ]}
    />
  )
}

const NotSetUp = () => <Badge tone="neutral">Not configured</Badge>

function State({ ok, problem }: Instance['health']['database']) {
  if (ok) return <Badge tone="green">Healthy</Badge>
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Badge tone="yellow">Needs attention</Badge>
      <AddressText>{problem ?? ''}</AddressText>
    </span>
  )
}
