import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { NothingFound } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { imagesQuery } from './queries.ts'

interface ImagePickerProps {
  serverId: string
  chosen: string
  onPick: (name: string) => void
}

/** Prefix of the tags that Slipway sets to keep the images of releases. Users must not pick them. */
const kept = 'slipway.local/'

export function ImagePicker({ serverId, chosen, onPick }: ImagePickerProps) {
  const [q, setQ] = useState('')
  const query = useInfiniteQuery(imagesQuery(serverId, q))
  if (query.error && !query.data)
    return <Problem title="Could not load images" error={query.error} onRetry={query.refetch} />
  const named = query.data
    ?.filter(({ own }) => !own)
    .flatMap(({ tags, size_bytes: size }) =>
      tags.filter((tag) => !tag.startsWith(kept)).map((tag) => ({ tag, size })),
    )
  if (named?.length === 0 && q === '') return <p className="text-muted">No tagged images on this server.</p>
  return (
    <>
      <SearchInput value={q} onChange={setQ} label="Search images" />
      {named?.length === 0 && <NothingFound things="images" q={q} onClear={() => setQ('')} />}
      {!named && <Skeleton className="h-24" />}
      {named && named.length > 0 && (
        <ul
          aria-label="Images"
          className="max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line"
        >
          {named.map(({ tag, size }) => (
            <li key={tag}>
              <button
                type="button"
                aria-pressed={tag === chosen}
                onClick={() => onPick(tag)}
                className="flex w-full items-center justify-between gap-4 px-3 py-2 text-left -outline-offset-2 hover:bg-hover active:bg-pressed aria-pressed:bg-accent-soft max-sm:py-3"
              >
                <span className="font-mono text-sm wrap-anywhere">{tag}</span>
                <span className="shrink-0 text-sm text-muted tabular-nums">{formatBytes(size)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <LoadMore query={query} />
    </>
  )
}
