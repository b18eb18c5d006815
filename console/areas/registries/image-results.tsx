import { useInfiniteQuery } from '@tanstack/react-query'
import { BadgeCheck, Star } from 'lucide-react'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatCount, supportsArchitecture } from './image-name.ts'
import { imageSearchQuery, type ImageSearchResult, tagSearchQuery, type TagSearchResult } from './queries.ts'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { NothingFound } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Time } from '../../ui/time.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { AddressText } from '../../lib/address.tsx'

interface FoundImagesProps {
  place: string
  registryId?: string
  q: string
  quiet: boolean
  onPick: (name: string) => void
}

export function ImageResults({ place, registryId, q, quiet, onPick }: FoundImagesProps) {
  const query = useInfiniteQuery(imageSearchQuery(q, registryId))
  const { data, error } = query
  if (!data && quiet) return null
  if (error && !data)
    return (
      <p className="text-sm text-muted">
        <AddressText>{error.message}</AddressText> You can still type a full image name.
      </p>
    )
  if (!data) return <Skeleton className="h-24" />
  if (data.found.length === 0)
    return quiet ? null : (
      <p className="text-sm text-muted">
        {q === '' ? `No images in ${place}` : `No images match “${q}” in ${place}`}
      </p>
    )
  return (
    <section aria-label={`Images of ${place}`} className="flex flex-col gap-2">
      <p className="text-sm font-medium">{place}</p>
      <StaleResultsNotice since={data.staleSince} />
      <PickList
        items={data.found}
        query={query}
        render={(image) => <Found image={image} onPick={() => onPick(image.name)} />}
      />
    </section>
  )
}

const Found = ({ image, onPick }: { image: ImageSearchResult; onPick: () => void }) => (
  <button
    type="button"
    onClick={onPick}
    className="flex w-full items-center justify-between gap-4 px-3 py-2 text-left -outline-offset-2 hover:bg-hover active:bg-pressed max-sm:py-3"
  >
    <span className="flex min-w-0 flex-col">
      <span className="flex flex-wrap items-center gap-x-2 font-mono text-sm wrap-anywhere">
        {image.name}
        {image.official && (
          <span className="flex items-center gap-1 font-sans text-xs font-medium text-green-ink">
            <BadgeCheck className="size-3.5" aria-hidden />
            Official
          </span>
        )}
      </span>
      {image.description && (
        <span dir="auto" className="line-clamp-1 text-sm text-muted">
          {image.description}
        </span>
      )}
    </span>
    {image.pulls !== null && image.pulls > 0 && (
      <span className="flex shrink-0 flex-col items-end text-xs text-muted tabular-nums">
        <span className="flex items-center gap-1">
          <Star className="size-3" aria-label="Stars:" />
          {formatCount(image.stars ?? 0)}
        </span>
        <span>{formatCount(image.pulls)} pulls</span>
      </span>
    )}
  </button>
)

export interface TargetServer {
  name: string
  architecture: string | null
}

interface TagPickerProps {
  repository: string
  chosen: string
  server: TargetServer | undefined
  onPick: (tag: TagSearchResult) => void
}

export function TagPicker({ repository, chosen, server, onPick }: TagPickerProps) {
  const [q, setQ] = useState('')
  const query = useInfiniteQuery(tagSearchQuery(repository, q))
  const { data, error } = query
  const lost = error && !data
  return (
    <section aria-label={`Tags of ${repository}`} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm font-medium wrap-anywhere">Tags of {repository}</p>
        <SearchInput value={q} onChange={setQ} label="Search tags" onEnter={() => undefined} />
      </div>
      {data && <StaleResultsNotice since={data.staleSince} />}
      {lost && <Problem title="Could not load tags" error={error} onRetry={query.refetch} />}
      {!data && !lost && <Skeleton className="h-40" />}
      {data?.found.length === 0 && q !== '' && <NothingFound things="tags" q={q} onClear={() => setQ('')} />}
      {data?.found.length === 0 && q === '' && <p className="text-sm text-muted">This image has no tags.</p>}
      {data && data.found.length > 0 && (
        <PickList
          items={data.found}
          query={query}
          render={(tag) => (
            <Tag {...{ tag, server }} chosen={tag.name === chosen} onPick={() => onPick(tag)} />
          )}
        />
      )}
    </section>
  )
}

interface TagProps {
  tag: TagSearchResult
  server: TargetServer | undefined
  chosen: boolean
  onPick: () => void
}

function Tag({ tag, server, chosen, onPick }: TagProps) {
  const { name, platforms, size_bytes: size, updated_at: at } = tag
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onPick}
      className="flex w-full items-center justify-between gap-4 px-3 py-2 text-left -outline-offset-2 hover:bg-hover active:bg-pressed aria-pressed:bg-accent-soft max-sm:py-3"
    >
      <span className="flex min-w-0 flex-col">
        <span className="font-mono text-sm wrap-anywhere">{name}</span>
        {platforms.length > 0 && (
          <span className="line-clamp-1 text-xs text-muted">
            {platforms.map((platform) => platform.replace('linux/', '')).join(', ')}
          </span>
        )}
        {server && !supportsArchitecture(platforms, server.architecture) && (
          <span className="text-xs text-yellow-ink">Not built for {server.name}</span>
        )}
      </span>
      {(at ?? size) !== null && (
        <span className="flex shrink-0 flex-col items-end text-xs text-muted tabular-nums">
          {at && <Time at={at} />}
          {size !== null && <span>{formatBytes(size)}</span>}
        </span>
      )}
    </button>
  )
}

interface PickListProps<Item> {
  items: readonly Item[]
  render: (item: Item) => ReactNode
  query: ComponentProps<typeof LoadMore>['query'] & { hasNextPage: boolean }
}

const PickList = <Item extends { name: string }>({ items, render, query }: PickListProps<Item>) => (
  <div className="max-h-80 overflow-y-auto rounded-md border border-line">
    <ul className="divide-y divide-line">
      {items.map((item) => (
        <li key={item.name}>{render(item)}</li>
      ))}
    </ul>
    {query.hasNextPage && (
      <div className="border-t border-line p-2">
        <LoadMore query={query} />
      </div>
    )}
  </div>
)

/** Notice above cached results while the registry is unreachable. */
const StaleResultsNotice = ({ since }: { since: string | null }) =>
  since && (
    <p className="text-sm text-yellow-ink">
      The registry is not responding. Showing results from <Time at={since} />.
    </p>
  )
