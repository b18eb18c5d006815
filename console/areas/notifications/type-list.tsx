import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type ChannelType, channelTypesQuery } from './queries.ts'
import { TypeIcon } from './type-icon.tsx'

/** Empty while the types are unavailable. */
export function TypeList({ onPick }: { onPick: (type: string) => void }) {
  const { data, isFetching, refetch } = useQuery(channelTypesQuery)
  if (!data && isFetching) return <Skeleton className="h-64 w-full" />
  const { types } = data ?? { types: [] }
  return (
    <>
      <ul aria-label="Channel types" className="grid gap-3 sm:grid-cols-2">
        {types.map((type) => (
          <Type key={type.type} type={type} onPick={() => onPick(type.type)} />
        ))}
      </ul>
      {types.length === 0 && (
        <EmptyState
          icon={Inbox}
          title="No channel types available"
          action={<Button onClick={() => void refetch()}>Reload</Button>}
        />
      )}
    </>
  )
}

function Type({ type, onPick }: { type: ChannelType; onPick: () => void }) {
  const words = (
    <>
      <TypeIcon type={type.type} className="mt-0.5 size-4 shrink-0 text-muted" />
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="font-medium">{type.name}</span>
        <span className="text-sm text-muted">
          {type.available ? type.description : type.unavailable_reason}
        </span>
      </span>
    </>
  )
  return (
    <li className="flex">
      {type.available ? (
        <button
          type="button"
          onClick={onPick}
          className={`${cardClasses} bg-raised hover:border-edge hover:bg-hover active:bg-pressed`}
        >
          {words}
        </button>
      ) : (
        <div className={`${cardClasses} bg-subtle`}>{words}</div>
      )}
    </li>
  )
}

const cardClasses = 'flex w-full gap-3 rounded-lg border border-line p-3 text-left'
