import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, Layers, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAllPages } from '../../lib/http/paging.ts'
import { useParam } from '../../lib/use-param.ts'
import { Button } from '../../ui/button.tsx'
import { ActionsMenu, MenuItem } from '../../ui/menu/dropdown-menu.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/card.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { type ContainerLink, imageColumns } from './image-columns.tsx'
import { imageTitle } from './image-format.ts'
import { type Image, imagesQuery } from './queries.ts'
import { RemoveImageDialog } from './remove-images-dialogs.tsx'

interface ImagesListProps {
  serverId: string
  operates: boolean
  away?: string | undefined
  linkTo: ContainerLink
  onPull: () => void
  /** `onPrune` is undefined for users who may not prune images. */
  onPrune?: () => void
}

export function ImagesList({ serverId, operates, away, linkTo, onPull, onPrune }: ImagesListProps) {
  const [q, setQ] = useParam('q')
  const [sort, setSort] = useParam('sort')
  const [removedImage, setRemovedImage] = useState<Image>()
  const query = useInfiniteQuery(imagesQuery(serverId, q))
  useAllPages(query, sort !== '')
  const { data: images } = query
  const error = away === undefined ? query.error : { message: away }
  if (error && !query.data)
    return (
      <Card flush>
        <Problem title="Could not load images" error={error} onRetry={query.refetch} />
      </Card>
    )
  const none = images?.length === 0 && q === ''
  const menu = (image: Image) => (
    <ActionsMenu name={imageTitle(image)}>
      <MenuItem danger onSelect={() => setRemovedImage(image)}>
        Remove image
      </MenuItem>
    </ActionsMenu>
  )
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        {!none && <SearchInput value={q} onChange={setQ} label="Search images" />}
        {operates && !none && (
          <div className="flex gap-2 max-sm:w-full max-sm:[&>*]:h-10 max-sm:[&>*]:flex-1">
            {onPrune && (
              <Button onClick={onPrune}>
                <Trash2 aria-hidden />
                Prune
              </Button>
            )}
            <PullButton onPull={onPull} />
          </div>
        )}
      </div>
      <Card flush>
        <QueryTable
          label="Images"
          things="images"
          query={query}
          search={{ q, setQ }}
          empty={{
            icon: Layers,
            title: 'No images yet',
            text: 'Images that you pull or build on this server appear here.',
            action: operates && <PullButton onPull={onPull} />,
          }}
          columns={imageColumns(linkTo)}
          rowKey={({ id }) => id}
          sort={{ value: sort, onChange: setSort, partial: query.hasNextPage }}
          {...(operates && { actions: menu })}
        />
      </Card>
      <LoadMore query={query} />
      {removedImage && (
        <RemoveImageDialog
          serverId={serverId}
          image={images?.find(({ id }) => id === removedImage.id) ?? removedImage}
          linkTo={linkTo}
          onClose={() => setRemovedImage(undefined)}
        />
      )}
    </>
  )
}

const PullButton = ({ onPull }: { onPull: () => void }) => (
  <Button variant="primary" onClick={onPull}>
    <Download aria-hidden />
    Pull image
  </Button>
)
