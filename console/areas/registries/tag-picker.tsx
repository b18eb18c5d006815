import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { supportsArchitecture } from './image-name.ts'
import { PickList } from './pick-list.tsx'
import { type TagSearchResult, tagSearchQuery } from './search-queries.ts'
import { StaleResultsNotice } from './stale-results-notice.tsx'

/** The server that will run the image. */
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
      {lost && (
        <Problem title="Couldn’t load tags" onRetry={() => void query.refetch()}>
          {error.message}
        </Problem>
      )}
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
