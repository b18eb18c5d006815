import { useQuery } from '@tanstack/react-query'
import { channelTypesQuery } from './queries.ts'
import { TypeIcon } from './type-icon.tsx'

/** Falls back to the identifier while the types are unavailable. */
export function TypeName({ type }: { type: string }) {
  const { data } = useQuery(channelTypesQuery)
  return (
    <span className="flex items-center gap-2">
      <TypeIcon type={type} className="size-4 shrink-0 text-muted" />
      {data?.types.find((one) => one.type === type)?.name ?? type}
    </span>
  )
}
