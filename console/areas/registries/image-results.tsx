import { useInfiniteQuery } from '@tanstack/react-query'
import { BadgeCheck, Star } from 'lucide-react'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatCount } from './image-name.ts'
import { type ImageSearchResult, imageSearchQuery } from './search-queries.ts'
import { PickList } from './pick-list.tsx'
import { StaleResultsNotice } from './stale-results-notice.tsx'

interface FoundImagesProps {
  /** "Docker Hub", or the name of a registry of the workspace. */
  place: string
  registryId?: string
  q: string
  /** Renders nothing without results. */
  quiet: boolean
  onPick: (name: string) => void
}

export function ImageResults({ place, registryId, q, quiet, onPick }: FoundImagesProps) {
  const query = useInfiniteQuery(imageSearchQuery(q, registryId))
  const { data, error } = query
  if (!data && quiet) return null
  if (error && !data)
    return <p className="text-sm text-muted">{error.message} You can still type a full image name.</p>
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
