import { Eye, EyeOff } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Masked } from '../../ui/code.tsx'
import { type ContainerDetails, useContainerEnvironment } from './queries.ts'

/** Values may be secret, so the card loads them only on request. */
export function ContainerEnvironmentCard({
  serverId,
  container: { id, environment },
  reveals,
}: {
  serverId: string
  container: ContainerDetails
  reveals: boolean
}) {
  const read = useContainerEnvironment(serverId, id)
  const shown = read.data !== undefined
  const values = new Map(read.data?.map(({ key, value }) => [key, value]))
  const Icon = shown ? EyeOff : Eye
  return (
    <Card
      title="Environment"
      description={
        reveals
          ? 'Values may contain secrets. The audit log records who views them.'
          : 'Values may contain secrets. Only members who can operate this container can view them.'
      }
      action={
        reveals &&
        environment.length > 0 && (
          <Button
            size="small"
            pending={read.isPending && 'Loading…'}
            onClick={() => (shown ? read.reset() : read.mutate())}
          >
            <Icon aria-hidden />
            {shown ? 'Hide values' : 'Show values'}
          </Button>
        )
      }
    >
      {environment.length === 0 && <p className="text-muted">No environment variables</p>}
      {environment.length > 0 && (
        <dl className="grid grid-cols-[minmax(8rem,auto)_1fr] gap-x-6 gap-y-1.5 font-mono text-sm max-sm:grid-cols-1 max-sm:gap-y-0">
          {environment.map((key) => (
            <div key={key} className="contents">
              <dt className="wrap-anywhere text-muted">{key}</dt>
              <dd className="min-w-0 wrap-anywhere whitespace-pre-wrap max-sm:mb-2">
                {shown ? values.get(key) : <Masked />}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}

const few = 6

export function ContainerLabelsCard({ labels }: Pick<ContainerDetails, 'labels'>) {
  const entries = Object.entries(labels).toSorted(([a], [b]) => a.localeCompare(b))
  if (entries.length === 0) return null
  const list = (
    <dl className="grid grid-cols-[minmax(8rem,auto)_1fr] gap-x-6 gap-y-1.5 font-mono text-sm max-lg:grid-cols-1 max-lg:gap-y-0">
      {entries.map(([key, value]) => (
        <div key={key} className="contents">
          <dt className="wrap-anywhere text-muted">{key}</dt>
          <dd className="min-w-0 wrap-anywhere max-lg:mb-2">{value ?? <Masked />}</dd>
        </div>
      ))}
    </dl>
  )
  return (
    <Card title="Labels">
      {entries.length <= few ? (
        list
      ) : (
        <details>
          <summary className="cursor-pointer rounded-sm text-muted select-none hover:text-ink">
            {entries.length} labels
          </summary>
          <div className="pt-3">{list}</div>
        </details>
      )}
    </Card>
  )
}
